import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { card, findProfile, idField, ids, submitId } from '../support/lookup-page.ts';
import { callsFrom } from '../support/server-answers.ts';

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

test('nothing is kept until the visitor wants it; then the latest is first', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/);
  const parts: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/assets/recents')) parts.push(request.url());
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(recents(page)).toHaveCount(0);
  expect(parts).toEqual([]);
  await submitId(page, ids.ordinary);
  await expect(offer(page)).toBeVisible();
  expect(await kept(page)).toBeNull();

  await offer(page).click();
  await submitId(page, ids.animated);
  await expect(entries(page)).toHaveText([
    new RegExp(`Aurora.*${ids.animated}`),
    new RegExp(`Marlow Finch.*${ids.ordinary}`),
  ]);
  // A picture that is blocked leaves the name and the ID.
  await page.route(/size=64/, (route) => route.abort());
  await page.goto('/');
  await expect(entries(page)).toHaveCount(2);
  await expect(entries(page).locator('img')).toHaveCount(0);
  await button(page, /^Marlow Finch/).click();
  await expect(card(page)).toContainText('Marlow Finch');
  await expect(idField(page)).toHaveValue(ids.ordinary);
  await expect(entries(page).first()).toContainText('Marlow Finch');

  await button(page, 'Remove \u2068Marlow Finch\u2069 from the list').click();
  await expect(entries(page)).toHaveText([/Aurora/]);
  await expect(recents(page).getByRole('heading', { name: 'Recent lookups' })).toBeFocused();
  await expect(card(page)).toContainText('Marlow Finch');
});

test('two are compared side by side without asking anybody', async ({ page }) => {
  await lookUpTwo(page);
  const calls = callsFrom(page);
  await button(page, 'Compare two').click();
  await expect(recents(page).getByRole('status').first()).toHaveText('Pick two profiles to compare.');
  await button(page, /^Marlow Finch/).click();
  await button(page, /^Aurora/).click();
  await expect(recents(page)).toContainText(
    '\u2068Marlow Finch\u2069 is the older account, by 2 years, 6 months.',
  );
  const created = recents(page).getByRole('row', { name: /^Created/ });
  await expect(created.getByRole('cell')).toHaveText(['4 May 2018', '12 November 2020']);
  await expect(recents(page).getByRole('columnheader')).toHaveCount(3);
  await expect(recents(page).getByRole('columnheader').locator('img')).toHaveCount(2);
  const table = recents(page).getByRole('table');
  const bottom = async (part: Locator): Promise<number> => {
    const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
    return y + height;
  };
  expect(await bottom(table), 'the comparison stands above the list').toBeLessThan(
    await bottom(entries(page).first()),
  );
  // Where the list is all that is seen, choosing brings the comparison into view.
  await page.setViewportSize({ width: 1280, height: 600 });
  await button(page, /^Aurora/).click();
  await entries(page)
    .last()
    .evaluate((entry) => entry.scrollIntoView({ block: 'start' }));
  await button(page, /^Aurora/).dispatchEvent('click');
  await expect(table.getByRole('row').first()).toBeInViewport();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  for (const id of [ids.ordinary, ids.animated]) {
    const cell = recents(page).getByRole('table').getByText(id);
    const { height = 0 } = (await cell.boundingBox()) ?? {};
    expect(height, 'an ID stays in one line').toBeLessThan(24);
  }
  await button(page, /^Aurora/).click();
  await expect(recents(page).getByRole('table')).toHaveCount(0);
  await button(page, 'Compare two').click();
  await expect(entries(page).first().getByRole('button').first()).not.toHaveAttribute('aria-pressed');
  expect(calls).toEqual([]);
});

test('a letter in place of a picture is in the middle of it, in the list and in the comparison', async ({
  page,
  problems,
}) => {
  problems.expect(/ERR_FAILED/);
  await page.route(/size=64/, (route) => route.abort());
  await lookUpTwo(page);
  await button(page, 'Compare two').click();
  await button(page, /^Marlow Finch/).click();
  await button(page, /^Aurora/).click();
  const letters = recents(page).locator('span > span[aria-hidden]');
  await expect(letters).toHaveCount(4);
  for (const letter of await letters.all()) {
    const box = await letter.boundingBox();
    const round = await letter.locator('..').boundingBox();
    expect(box!.x + box!.width / 2).toBeCloseTo(round!.x + round!.width / 2, 0);
    expect(box!.y + box!.height / 2).toBeCloseTo(round!.y + round!.height / 2, 0);
  }
});

test('the list is cleared with one press, and deleted with another, in all tabs', async ({
  page,
  context,
}) => {
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

test('a browser that forbids storage has no list, and no trouble', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
  });
  await findProfile(page, ids.ordinary);
  await page.waitForLoadState('networkidle');
  await expect(recents(page)).toHaveCount(0);
  await expect(offer(page)).toHaveCount(0);
});
