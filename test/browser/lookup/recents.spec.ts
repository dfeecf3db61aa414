import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { card, findProfile, idField, ids, submitId } from '../support/lookup-page.ts';

const recents = (page: Page): Locator => page.getByRole('region', { name: 'Recent lookups' });
const button = (page: Page, name: string | RegExp): Locator => recents(page).getByRole('button', { name });
const entries = (page: Page): Locator => recents(page).getByRole('listitem');
const kept = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('recents'));

const offer = (page: Page): Locator =>
  page.getByRole('button', { name: 'Keep recent lookups in this browser' });

const lookUpTwo = async (page: Page): Promise<void> => {
  await findProfile(page, ids.ordinary);
  await offer(page).click();
  await submitId(page, ids.animated);
  await expect(entries(page)).toHaveCount(2);
};

test('recent lookups are kept only if wanted, the latest first, and removed one by one', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(recents(page)).toHaveCount(0);
  await submitId(page, ids.ordinary);
  await expect(offer(page)).toBeVisible();
  expect(await kept(page)).toBeNull();

  await offer(page).click();
  await submitId(page, ids.animated);
  await expect(entries(page)).toHaveText([
    new RegExp(`Aurora.*${ids.animated}`),
    new RegExp(`Marlow Finch.*${ids.ordinary}`),
  ]);
  await page.goto('/');
  await expect(entries(page)).toHaveCount(2);
  await button(page, /^Marlow Finch/).click();
  await expect(card(page)).toContainText('Marlow Finch');
  await expect(idField(page)).toHaveValue(ids.ordinary);
  await expect(entries(page).first()).toContainText('Marlow Finch');

  await button(page, 'Remove \u2068Marlow Finch\u2069 from the list').click();
  await expect(entries(page)).toHaveText([/Aurora/]);
  await expect(recents(page).getByRole('heading', { name: 'Recent lookups' })).toBeFocused();
  await expect(card(page)).toContainText('Marlow Finch');
});

test('the list of recent lookups is cleared, and deleted, in all tabs', async ({ page, context }) => {
  await lookUpTwo(page);
  const other = await context.newPage();
  await other.goto('/');
  await expect(entries(other)).toHaveCount(2);
  await button(page, 'Clear').click();
  await expect(entries(page)).toHaveCount(0);
  await expect(entries(other)).toHaveCount(0);
  await expect(recents(page)).toContainText('Nothing here yet.');
  await expect(button(page, 'Turn off and delete list')).toBeFocused();
  expect(await kept(page)).toBe('[]');
  await button(page, 'Turn off and delete list').click();
  await expect(offer(page)).toBeVisible();
  await expect(recents(other)).toHaveCount(0);
  expect(await kept(page)).toBeNull();
});
