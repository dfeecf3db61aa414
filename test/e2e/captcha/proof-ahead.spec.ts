import { expect, test } from '../support/browser-test.ts';
import { endlessChallenge } from '../support/challenges.ts';
import { captcha, card, idField, ids, lookUp, lookupButton } from '../support/lookup-page.ts';
import { answer, callsFrom, holdUntilReleased, sentTo } from '../support/server-answers.ts';

test('a proof is worked at as soon as there is an ID, and the lookup takes it', async ({ page }) => {
  const calls = callsFrom(page);
  await page.goto('/');
  await idField(page).fill(ids.ordinary);
  await expect.poll(() => calls).toEqual(['/challenge']);
  // Solved: its workers are gone.
  await expect.poll(() => page.workers().length).toBe(0);
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
  expect(calls).toEqual(['/challenge', '/lookup']);
});

test('with the widget and a proof at hand, the captcha opens with the widget in it', async ({ page }) => {
  await page.goto('/');
  await idField(page).fill(ids.ordinary);
  await page.waitForLoadState('networkidle');
  await expect.poll(() => page.workers().length).toBe(0);
  const opened = page.evaluate(
    () =>
      new Promise<{ widget: boolean; text: string }>((resolve) => {
        new MutationObserver((_, observer) => {
          const dialog = document.querySelector('dialog[open]');
          if (dialog === null) return;
          observer.disconnect();
          resolve({
            widget: dialog.querySelector('altcha-widget') !== null,
            text: dialog.textContent ?? '',
          });
        }).observe(document, { subtree: true, childList: true, attributeFilter: ['open'] });
      }),
  );
  await lookupButton(page).click();
  expect(await opened).toEqual({ widget: true, text: expect.not.stringContaining('Loading') });
  await expect(card(page)).toBeVisible();
});

test('a press that comes before the rest of the code costs one challenge', async ({ page }) => {
  const calls = callsFrom(page);
  const release = await holdUntilReleased(page, /\/lookup-flow-[\w-]+\.js$/);
  const widget = page.waitForResponse(/\/altcha-widget-[\w-]+\.js$/);
  await page.goto('/');
  await idField(page).fill(ids.ordinary);
  await (await widget).finished();
  await lookupButton(page).click();
  release();
  await expect(card(page)).toBeVisible();
  expect(calls).toEqual(['/challenge', '/lookup']);
});

test('typing an ID costs one challenge, however many IDs it is on the way', async ({ page }) => {
  const calls = callsFrom(page);
  await page.goto('/');
  await idField(page).pressSequentially('1076972768253177859');
  await expect(page.getByText('Account created')).toBeVisible();
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
  expect(calls).toEqual(['/challenge', '/lookup']);
});

test('a shared link works at its proof, but spends no lookup before the press', async ({ page }) => {
  const calls = callsFrom(page);
  await page.goto(`/?id=${ids.ordinary}`);
  await expect.poll(() => calls).toEqual(['/challenge']);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
  expect(calls).toEqual(['/challenge', '/lookup']);
});

for (const text of ['44199', '9223372036854775807', 'somebody']) {
  test(`nothing is worked at for ${text}`, async ({ page }) => {
    const calls = callsFrom(page);
    await page.goto('/');
    await idField(page).fill(text);
    await expect(page.getByRole('status').filter({ hasText: /digits|future|name/ })).toBeVisible();
    expect(calls).toEqual([]);
  });
}

test('who saves data is not made to work ahead', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
  );
  const calls = callsFrom(page);
  await page.goto('/');
  await idField(page).fill(ids.ordinary);
  await expect(page.getByText('Account created')).toBeVisible();
  expect(calls).toEqual([]);
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
  expect(calls).toEqual(['/challenge', '/lookup']);
});

test('a challenge that cannot be had ahead is asked for again by the captcha', async ({ page, problems }) => {
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
  await idField(page).fill(ids.ordinary);
  await expect.poll(() => page.workers().length).toBe(0);
  await page.clock.fastForward(295_000);
  const fresh = page.waitForRequest('/challenge');
  await lookupButton(page).click();
  await fresh;
  await page.clock.setSystemTime(Date.now());
  await expect.poll(() => lookups.length).toBeGreaterThan(0);
});

test('what is left of the work is shown in the captcha, with all workers', async ({ page }) => {
  await answer(page, '/challenge', { status: 200, json: { ...endlessChallenge(), maxnumber: 2e7 } });
  await lookUp(page, ids.ordinary);
  const progress = captcha(page).getByRole('progressbar', { name: 'Captcha progress' });
  await expect.poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value)).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.workers().length).toBe(0);
});
