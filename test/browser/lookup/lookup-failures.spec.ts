import type { Page } from '@playwright/test';
import { ERROR_SENTENCES } from '#shared/sentences.ts';
import { expect, test } from '../support/browser-test.ts';
import { alert, card, idField, ids, lookUp, lookupButton, submitId } from '../support/lookup-page.ts';
import { answer, sentTo, withoutTexts } from '../support/server-answers.ts';

const REFUSED = /status of (?:400|404|429|50\d) .*\/lookup$/;

type Refusal = { readonly status: number; readonly code: string; readonly retry_after?: number };

const refuseOnce = (page: Page, { status, ...body }: Refusal): Promise<unknown> =>
  page.route('/lookup', (route) => route.fulfill({ status, json: { error: 'The sentence.', ...body } }), {
    times: 1,
  });

const expectKept = async (page: Page): Promise<void> => {
  await expect(idField(page)).toHaveValue(ids.ordinary);
  await expect(page.getByText('Account created 4 May 2018')).toBeVisible();
};

const expectProfile = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { name: 'Marlow Finch' })).toBeVisible();

test('§134–135, 162, 205–206, 208, 212–213 what went wrong is told in the place of the profile: nobody, no proof, no words, no network', async ({
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
  await answer(page, '/lookup', { status: 404, json: { error: 'No such person.' } });
  await submitId(page, ids.bot);
  await expect(alert(page).getByRole('heading')).toHaveText(`No profile was found for ${ids.bot}.`);
});

test('a refusal is told by its code, counts down, then can be retried', async ({ page, problems }) => {
  problems.expect(REFUSED);
  const lookups = sentTo(page, '/lookup');
  await page.clock.install();
  await refuseOnce(page, { status: 429, code: 'visitor-limit', retry_after: 60 });
  await lookUp(page, ids.ordinary);
  for (const [code, advice, next] of [
    ['visitor-limit', 'We limit lookups', { status: 503, code: 'pool-busy', retry_after: 60 }],
    ['pool-busy', 'A slot will open up shortly', { status: 502, code: 'platform-failed', retry_after: 60 }],
    ['platform-failed', 'usually clears up', undefined],
  ] as const) {
    await expect(alert(page)).toContainText(advice);
    await expect(alert(page)).toContainText(ERROR_SENTENCES[code].replace('{platformName}', 'Discord'));
    await expect(card(page)).toHaveCount(0);
    await expect(lookupButton(page)).toHaveText('Lookup');
    await expect(lookupButton(page)).toHaveAttribute('aria-disabled', 'true');
    await idField(page).press('Enter');
    const again = alert(page).getByRole('button', { name: 'Try again' });
    await expect(again).toHaveAttribute('aria-disabled', 'true');
    await page.clock.fastForward(10_000);
    await expect(again).toHaveText(/^[1-4]\d/);
    await expectKept(page);
    await page.clock.fastForward(60_000);
    await expect(again).toHaveAttribute('aria-disabled', 'false');
    await expect(page.getByRole('status').getByText('You can try again now.')).toBeAttached();
    await expect(lookupButton(page)).toHaveAttribute('aria-disabled', 'false');
    if (next) await refuseOnce(page, next);
    await again.click();
  }
  await expectProfile(page);
  expect(lookups).toHaveLength(4);
});

test('a failure takes the place of the profile, in sight with the field', async ({ page, problems }) => {
  problems.expect(REFUSED);
  await page.setViewportSize({ width: 360, height: 640 });
  await lookUp(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
  await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }));
  await refuseOnce(page, { status: 503, code: 'pool-busy', retry_after: 60 });
  await submitId(page, ids.bot);
  await expect(alert(page)).toBeInViewport({ ratio: 1 });
  await expect(idField(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Donate a bot token' })).toBeVisible();
  const gapBelow = async (): Promise<number> => {
    const [notice, below] = await Promise.all([
      alert(page).boundingBox(),
      page.getByRole('complementary', { name: 'Support' }).boundingBox(),
    ]);
    return (below?.y ?? 0) - ((notice?.y ?? 0) + (notice?.height ?? 0));
  };
  expect(await gapBelow()).toBeLessThan(160);
  await page.setViewportSize({ width: 860, height: 1_200 });
  await lookUp(page, ids.nobody);
  await expect(alert(page)).toContainText('No profile was found');
  await expect(page.getByRole('button', { name: 'Donate a bot token' })).toBeVisible();
  expect(await gapBelow()).toBeLessThan(160);
  // The end of the page is out of sight, but no further than it must be.
  const end = await page.getByRole('contentinfo').boundingBox();
  expect(end?.y).toBeGreaterThanOrEqual(1_200);
  expect(end?.y).toBeLessThan(1_300);
});

test('§87, 219 a part of the page that could not be loaded is loaded at the next try, and one that cannot be drawn is reloaded', async ({
  page,
  problems,
}) => {
  problems.expect(/ERR_FAILED/);
  problems.expect(/have not been loaded/);
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
