import { expect, test } from '../support/browser-test.ts';
import { interactive, watchForInteractive } from '../support/interactive.ts';
import { card, idField, ids, lookupButton } from '../support/lookup-page.ts';
import { callsFrom, holdUntilReleased, sentTo } from '../support/server-answers.ts';
import { expectProfile, fillAndSolve, WIDGET_SCRIPT } from './widget.ts';

test('a proof is worked at once there is an ID, for one challenge, in a loaded widget', async ({ page }) => {
  const calls = callsFrom(page);
  await page.goto('/');
  await idField(page).pressSequentially(ids.noAvatar);
  await expect.poll(() => calls).toEqual(['/challenge']);
  await page.waitForLoadState('networkidle');
  // Solved: its workers are gone.
  await expect.poll(() => page.workers().length).toBe(0);
  const opened = page.evaluate(
    () =>
      new Promise<{ widget: boolean; text: string }>((resolve) => {
        new MutationObserver((_, observer) => {
          const dialog = document.querySelector('dialog[open]');
          if (dialog === null) return;
          observer.disconnect();
          resolve({ widget: dialog.querySelector('altcha-widget') !== null, text: dialog.textContent ?? '' });
        }).observe(document, { subtree: true, childList: true, attributeFilter: ['open'] });
      }),
  );
  await lookupButton(page).click();
  expect(await opened).toEqual({ widget: true, text: expect.not.stringContaining('Loading') });
  await expect(card(page)).toBeVisible();
  expect(calls).toEqual(['/challenge', '/lookup']);
});

for (const when of ['after', 'before'] as const)
  test(`workers wait from a focus ${when} the code has come on, and search for an ID`, async ({ page }) => {
    await watchForInteractive(page);
    const release = await holdUntilReleased(page, /\/assets\/index-[\w-]+\.js$/);
    await page.goto('/', { waitUntil: 'commit' });
    if (when === 'before') await idField(page).focus();
    expect(page.workers()).toEqual([]);
    const started = page.waitForEvent('worker');
    release();
    await interactive(page, 'app');
    await idField(page).focus();
    await started;
    await idField(page).fill(ids.noAvatar);
    await expect.poll(() => page.workers()).toEqual([]);
  });

test('a press before the rest of the code is busy at once, and costs one challenge', async ({ page }) => {
  const calls = callsFrom(page);
  const release = await holdUntilReleased(page, /\/lookup-flow-[\w-]+\.js$/);
  const widget = page.waitForResponse(/\/altcha-widget-[\w-]+\.js$/);
  await page.goto('/');
  await idField(page).fill(ids.ordinary);
  await (await widget).finished();
  await lookupButton(page).click();
  await expect(lookupButton(page)).toHaveText('Looking up…');
  release();
  await expect(card(page)).toBeVisible();
  expect(calls).toEqual(['/challenge', '/lookup']);
});

test('§185 nothing is worked at for what is no ID, nor for a visitor who saves data', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', {
      value: { saveData: sessionStorage.getItem('save') !== null },
      configurable: true,
    }),
  );
  const calls = callsFrom(page);
  await page.goto('/');
  for (const [text, note] of [
    ['44199', /digits/],
    ['9223372036854775807', /future/],
    ['somebody', /name/],
  ] as const) {
    await idField(page).fill(text);
    await expect(page.getByRole('status').filter({ hasText: note })).toBeVisible();
  }
  await page.evaluate(() => sessionStorage.setItem('save', ''));
  await page.reload();
  await idField(page).fill(ids.ordinary);
  await expect(page.getByText('Account created')).toBeVisible();
  expect(calls).toEqual([]);
  expect(page.workers()).toEqual([]);
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
  expect(calls).toEqual(['/challenge', '/lookup']);
});

test('a challenge that is refused ahead is asked for again without a word', async ({ page, problems }) => {
  problems.expect(/503/);
  const json = { error: 'No captcha now.', code: 'store-unavailable' };
  await page.route('/challenge', (route) => route.fulfill({ status: 503, json }), { times: 1 });
  await page.goto('/');
  const refused = page.waitForResponse('/challenge');
  await idField(page).fill(ids.ordinary);
  await refused;
  await expect(page.getByRole('alert')).toHaveCount(0);
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
});

test('a proof that has expired is not used', async ({ page }) => {
  const lookups = sentTo(page, '/lookup');
  await page.clock.install();
  await page.goto('/');
  await fillAndSolve(page, ids.ordinary);
  await page.clock.fastForward(295_000);
  const fresh = page.waitForRequest('/challenge');
  await lookupButton(page).click();
  await fresh;
  await page.clock.setSystemTime(Date.now());
  await expect.poll(() => lookups.length).toBeGreaterThan(0);
});

test('a link that is answered before its captcha is painted needs no widget', async ({ page }) => {
  await page.addInitScript(() => {
    const later = setTimeout;
    // It is never painted, however slow the machine.
    window.setTimeout = ((run: () => void, ms?: number) => (ms === 250 ? 0 : later(run, ms))) as never;
  });
  await page.route(WIDGET_SCRIPT, (route) => route.abort());
  await page.goto(`/?id=${ids.ordinary}`);
  await expectProfile(page);
});
