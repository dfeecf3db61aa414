import { expect, test } from '../support/browser-test.ts';
import {
  alert,
  card,
  findProfile,
  idField,
  ids,
  lookUp,
  lookupButton,
  submitId,
} from '../support/lookup-page.ts';

test('an ID too short for an account is answered without a date that cannot be', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 404/);
  await lookUp(page, '12345');
  const answered = page.getByRole('main').getByRole('heading', { name: /^No profile was found for 12345/ });
  await expect(answered).toBeVisible();
  await expect(page.getByRole('main').locator('time')).toHaveCount(0);
});

test('an ID that cannot be looked up leaves the page as it is', async ({ page, problems }) => {
  problems.expect(/status of 400/);
  await lookUp(page, '9223372036854775807');
  await expect(alert(page)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(page.getByText('More samples to try')).toBeVisible();
});

test('a badge says its name once the pointer moves, not because the pointer rests there', async ({
  page,
}) => {
  await findProfile(page, ids.ordinary);
  const badge = card(page).getByRole('list', { name: 'Flags' }).getByRole('button').first();
  // The first event of a pointer tells of no movement.
  await page.mouse.move(1, 1);
  await badge.hover();
  await expect(badge.locator('span')).toHaveCSS('opacity', '1');
  await submitId(page, ids.ordinary);
  await expect(card(page).getByRole('heading', { level: 2 })).toBeFocused();
  await expect.poll(() => badge.evaluate((button) => button.matches(':hover'))).toBe(true);
  await expect(badge.locator('span')).toHaveCSS('opacity', '0');
});

test('a press while offline is answered at the field', async ({ page, context }) => {
  await page.goto('/');
  await idField(page).fill(ids.ordinary);
  await expect(page.getByText('Account created 4 May 2018')).toBeVisible();
  await context.setOffline(true);
  await lookupButton(page).click();
  await expect(alert(page)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
