import { expect, test } from '../support/browser-test.ts';
import { alert, card, idField, ids, lookupButton } from '../support/lookup-page.ts';
import { callsFrom, holdUntilReleased, sentTo } from '../support/server-answers.ts';

const CREATED = 'Account created 4 May 2018';
const link = `/?id=${ids.ordinary}`;

test('a shared link shows its profile by itself, for one proof', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const calls = callsFrom(page);
  await page.goto(`/users/${ids.ordinary}`);
  await expect(card(page)).toContainText('Marlow Finch');
  await expect(page).toHaveURL(link);
  await expect(page).toHaveTitle('Marlow Finch · Whoflake');
  await expect(page.getByRole('heading', { level: 2, name: 'Marlow Finch' })).toBeFocused();
  expect(calls).toEqual(['/challenge', '/lookup']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

test('a shared link shows where its card will be before React has come, and is looked up again if it was refused', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 403/);
  const refused = { error: 'It was used.', code: 'proof-used' };
  const lookups = sentTo(page, '/lookup');
  const release = await holdUntilReleased(page, /\/assets\/react-.*\.js$/);
  await page.route('/lookup', (route) => route.fulfill({ status: 403, json: refused }), { times: 1 });
  await page.goto(link, { waitUntil: 'commit' });
  await expect(page.locator('main [inert]')).toBeVisible();
  release();
  await expect(card(page)).toContainText('Marlow Finch');
  expect(new Set(lookups.map(({ proof }) => proof)).size).toBe(2);
  expect(lookups).toHaveLength(2);
});

for (const unseen of ['hidden', 'prerendering'] as const)
  test(`a shared link is not looked up while it is ${unseen}, then once`, async ({ page }) => {
    const calls = callsFrom(page);
    const beUnseen = ([name, value]: readonly [string, boolean]): void => {
      Object.defineProperty(document, name, { value, configurable: true });
      document.dispatchEvent(new Event(name === 'hidden' ? 'visibilitychange' : 'prerenderingchange'));
    };
    await page.addInitScript(beUnseen, [unseen, true] as const);
    // The code of the lookup is there.
    await page.goto(link, { waitUntil: 'networkidle' });
    expect(calls).not.toContain('/lookup');
    await page.evaluate(beUnseen, [unseen, false] as const);
    await expect(card(page)).toContainText('Marlow Finch');
    await page.evaluate(beUnseen, [unseen, false] as const);
    expect(calls.filter((path) => path === '/lookup')).toHaveLength(1);
  });

test('for those who save data nothing is worked at ahead, and a shared link waits for a press', async ({
  page,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  const calls = callsFrom(page);
  await page.goto('/');
  await idField(page).fill(ids.bot);
  await expect(page.getByText('Account created')).toBeVisible();
  expect(calls).toEqual([]);
  await page.goto(link);
  await expect(page.getByText('Press Lookup to see who this is.')).toBeVisible();
  await expect(page.getByText(CREATED)).toBeVisible();
  await expect(lookupButton(page)).toBeFocused();
  expect(calls).not.toContain('/lookup');
  await page.keyboard.press('Enter');
  await expect(card(page)).toBeVisible();
  expect(calls).toEqual(['/challenge', '/lookup']);
});

test('a number that a spreadsheet has cut in an address is not looked up', async ({ page }) => {
  await page.goto('/?id=4.41998E%2B17');
  await expect(page.getByRole('status').filter({ hasText: 'spreadsheet' })).toBeVisible();
  await expect(alert(page)).toHaveCount(0);
});
