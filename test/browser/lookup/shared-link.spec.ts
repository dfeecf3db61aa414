import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { BOT_TOKEN } from '../support/donation-forms.ts';
import { alert, captcha, card, idField, ids, lookupButton, submitId } from '../support/lookup-page.ts';
import { callsFrom, hold, holdUntilReleased, sentTo } from '../support/server-answers.ts';

const CREATED = 'Account created 4 May 2018';
const link = `/?id=${ids.ordinary}`;

/** As a page is that the browser prepares, or that was opened behind another, until it is seen. */
const openUnseen = async (page: Page, path: string, unseen: 'hidden' | 'prerendering'): Promise<void> => {
  await page.addInitScript((property) => {
    Object.defineProperty(document, property, { value: true, configurable: true });
  }, unseen);
  await page.goto(path);
};

const beSeen = (page: Page, unseen: 'hidden' | 'prerendering'): Promise<void> =>
  page.evaluate((property) => {
    Object.defineProperty(document, property, { value: false, configurable: true });
    document.dispatchEvent(new Event(property === 'hidden' ? 'visibilitychange' : 'prerenderingchange'));
  }, unseen);

test('a shared link shows its profile by itself, for one proof', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const calls = callsFrom(page);
  await page.goto(`/users/${ids.ordinary}`);
  await expect(card(page)).toContainText('Marlow Finch');
  await expect(page).toHaveURL(link);
  await expect(page).toHaveTitle('Marlow Finch · Whoflake');
  await expect(page.getByRole('heading', { level: 2, name: 'Marlow Finch' })).toBeFocused();
  expect(calls.splice(0)).toEqual(['/challenge', '/lookup']);
  await page.reload();
  await expect(card(page)).toContainText('Marlow Finch');
  expect(calls.splice(0)).toEqual(['/challenge', '/lookup']);
  // What is shown for a moment stays until it was looked at.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('button', { name: 'Copy link' })).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

const REACT = /\/assets\/react-.*\.js$/;

test('a shared link is looked up while React is still on its way, and only once', async ({ page }) => {
  const calls = callsFrom(page);
  const release = await holdUntilReleased(page, REACT);
  const answered = page.waitForResponse('/lookup');
  await page.goto(link, { waitUntil: 'commit' });
  await answered;
  await expect(card(page)).toHaveCount(0);
  release();
  await expect(card(page)).toContainText('Marlow Finch');
  expect(calls).toEqual(['/challenge', '/lookup']);
});

test('a proof that is refused while React is on its way is solved again', async ({ page, problems }) => {
  problems.expect(/status of 403/);
  const refused = { error: 'It was used.', code: 'proof-used' };
  const lookups = sentTo(page, '/lookup');
  const release = await holdUntilReleased(page, REACT);
  await page.route('/lookup', (route) => route.fulfill({ status: 403, json: refused }), { times: 1 });
  const answered = page.waitForResponse('/lookup');
  await page.goto(link, { waitUntil: 'commit' });
  await answered;
  release();
  await expect(card(page)).toContainText('Marlow Finch');
  expect(new Set(lookups.map(({ proof }) => proof)).size).toBe(2);
});

for (const unseen of ['hidden', 'prerendering'] as const) {
  test(`a shared link is not looked up while it is ${unseen}, then once`, async ({ page }) => {
    const calls = callsFrom(page);
    await openUnseen(page, link, unseen);
    // The code of the lookup is there.
    await page.waitForLoadState('networkidle');
    expect(calls).not.toContain('/lookup');
    await beSeen(page, unseen);
    await expect(card(page)).toContainText('Marlow Finch');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    expect(calls.filter((path) => path === '/lookup')).toHaveLength(1);
  });
}

test('a shared link waits for a press of those who save data', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  const calls = callsFrom(page);
  await page.goto(link);
  await expect(page.getByText('Press Lookup to see who this is.')).toBeVisible();
  await expect(page.getByText(CREATED)).toBeVisible();
  await expect(lookupButton(page)).toBeFocused();
  expect(calls).not.toContain('/lookup');
  await page.keyboard.press('Enter');
  await expect(card(page)).toBeVisible();
  expect(calls.filter((path) => path === '/lookup')).toHaveLength(1);
});

test('a shared link can be cancelled, and then waits for a press', async ({ page }) => {
  const calls = callsFrom(page);
  await hold(page, '/challenge');
  await page.goto(link);
  await expect(captcha(page)).toBeVisible();
  await lookupButton(page).dispatchEvent('click');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('status').filter({ hasText: 'Lookup cancelled.' })).toBeVisible();
  await expect(lookupButton(page)).toBeFocused();
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText(CREATED)).toBeVisible();
  await expect(captcha(page)).toHaveCount(0);
  await page.unroute('/challenge');
  await lookupButton(page).dblclick();
  await expect(card(page)).toBeVisible();
  expect(calls.filter((path) => path === '/lookup')).toHaveLength(1);
});

test('a link whose id nobody can have says so, asks for nothing, and has a title', async ({ page }) => {
  const calls = callsFrom(page);
  for (const [id, words] of [
    ['4'.repeat(23), 'too large'],
    ['9223372036854775807', 'in the future'],
    ['12345', '17 to 19 digits'],
    ['4.41998E%2B17', 'spreadsheet'],
    ['', 'Paste a user ID'],
  ] as const) {
    await page.goto(`/?id=${id}`);
    await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible();
    await expect(page).toHaveTitle(/^(?:\S.* · Whoflake|Whoflake: .*)$/);
    await expect(alert(page)).toHaveCount(0);
  }
  expect(calls).toEqual([]);
});

test('an ID is found in what another app shares, and nothing stays in the address', async ({ page }) => {
  const profile = `https://discord.com/users/${ids.ordinary}`;
  const open = async (address: string): Promise<void> => {
    // Else what follows the `#` would not load the page.
    await page.goto('about:blank');
    await page.goto(address);
  };
  for (const mark of ['?', '#']) {
    await open(`/${mark}${new URLSearchParams({ title: 'A “friend”', text: profile, url: profile })}`);
    await expect(card(page)).toContainText('Marlow Finch');
    await page.goBack();
    await expect(page).toHaveURL('/');
  }
  await open(`/#text=${ids.ordinary}+${ids.bot}`);
  await expect(page.getByText('more than one ID')).toBeVisible();
  await open(`/#text=${BOT_TOKEN}`);
  await expect(alert(page)).toContainText('That was a bot token');
  await expect(page).toHaveURL('/');
});

test('forward leads to the profile again when the page was forgotten on the way', async ({ page }) => {
  await page.goto('/privacy');
  await page.goto('/');
  await submitId(page, ids.ordinary);
  await expect(card(page)).toContainText('Marlow Finch');
  await page.goBack();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(page).toHaveURL('/privacy');
  await page.goForward();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute('aria-pressed', /./);
  await page.goForward();
  await expect(page).toHaveURL(link);
  await expect(card(page)).toContainText('Marlow Finch');
  await expect(idField(page)).toHaveValue(ids.ordinary);
  await page.goBack();
  await expect(idField(page)).toHaveValue('');
});
