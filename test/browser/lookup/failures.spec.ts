import type { Page } from '@playwright/test';
import { ERROR_SENTENCES } from '#shared/sentences.ts';
import { expect, test } from '../support/browser-test.ts';
import { alert, card, idField, ids, lookUp, lookupButton, submitId } from '../support/lookup-page.ts';
import { answer, sentTo, withoutTexts } from '../support/server-answers.ts';

const REFUSED = /status of (?:400|404|429|50\d) .*\/lookup$/;

const refuseOnce = (page: Page, status: number, code: string): Promise<unknown> => {
  const json = { error: 'The sentence.', code, retry_after: 60 };
  return page.route('/lookup', (route) => route.fulfill({ status, json }), { times: 1 });
};

const expectProfile = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();

test('§134–135, 162, 205–206, 208, 212–213 a failed lookup says what went wrong', async ({
  page,
  problems,
}) => {
  problems.expect(REFUSED);
  problems.expect(/ERR_FAILED .*\/lookup$/);
  await lookUp(page, ids.nobody);
  await expect(alert(page)).toContainText(
    `No profile was found for ${ids.nobody}. Discord reports that the snowflake was created at: 1 January 2021 at 00:00:17 UTC`,
  );
  await expect(card(page)).toHaveCount(0);

  await page.route('/lookup', (route) => {
    const { proof: _, ...rest } = route.request().postDataJSON() as Record<string, string>;
    return route.continue({ postData: rest });
  });
  await submitId(page, ids.ordinary);
  await expect(alert(page)).toContainText('Complete the Altcha challenge to continue.');

  await page.unroute('/lookup');
  await answer(page, '/lookup', { status: 500, json: {} });
  await submitId(page, ids.bot);
  await expect(alert(page)).toContainText('Unexpected server error.');

  await page.unroute('/lookup');
  await page.route('/lookup', (route) => route.abort());
  await submitId(page, ids.tag);
  await expect(alert(page).getByRole('heading')).toHaveText('Unable to complete lookup.');
  await expect(alert(page).getByText('Failed to fetch')).toBeVisible();
  await expect(alert(page)).toContainText('Check your connection and try again.');

  await page.unroute('/lookup');
  await submitId(page, '12345');
  await expect(alert(page).getByRole('heading')).toHaveText(
    'No profile was found for 12345. Discord reports that the snowflake was created at: 1 January 2015 at 00:00:00 UTC',
  );
  await expect(alert(page)).toContainText('No account has an ID this short');
});

test('a refused lookup is told by its code, counts down, and can be retried', async ({ page, problems }) => {
  problems.expect(REFUSED);
  const lookups = sentTo(page, '/lookup');
  await page.clock.install();
  await refuseOnce(page, 429, 'visitor-limit');
  await lookUp(page, ids.ordinary);
  await expect(alert(page)).toContainText('We limit lookups');
  await expect(alert(page)).toContainText(ERROR_SENTENCES['visitor-limit']);
  await expect(lookupButton(page)).toHaveAttribute('aria-disabled', 'true');
  await idField(page).press('Enter');
  const again = alert(page).getByRole('button', { name: 'Try again' });
  await expect(again).toHaveAttribute('aria-disabled', 'true');
  await page.clock.fastForward(10_000);
  await expect(again).toHaveText(/^[1-5]\d/);
  await page.clock.fastForward(60_000);
  await expect(again).toHaveAttribute('aria-disabled', 'false');
  await expect(page.getByRole('status').getByText('You can try again now.')).toBeAttached();
  await again.click();
  await expectProfile(page);
  expect(lookups).toHaveLength(2);
});

test('§87, 219 what could not be loaded or drawn is so at the next try', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/);
  problems.expect(/of undefined/);
  await page.route(/\/assets\/lookup-flow-.*\.js/, (route) => route.abort());
  await lookUp(page, ids.ordinary);
  await expect(alert(page)).toContainText('Unable to complete lookup.');
  await expect(alert(page)).toContainText('Reload the page');
  await expect(idField(page)).toHaveValue(ids.ordinary);
  await page.unrouteAll();
  await alert(page).getByRole('button', { name: 'Try again' }).click();
  await expectProfile(page);
  await withoutTexts(page, 'export');
  await lookUp(page, ids.bot);
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(idField(page)).toBeVisible();
});
