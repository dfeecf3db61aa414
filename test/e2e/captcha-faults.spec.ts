import type { Page, Route } from '@playwright/test';
import { expect, test } from './support.ts';
import { card, endlessChallenge, idField, ids, lookUp, lookupButton, submitId } from './visitor.ts';

const FAILED = 'Verification failed. Please try again.';

const start = (page: Page): Promise<void> => lookUp(page, ids.ordinary);

const failOnce = (page: Page, url: string | RegExp, fail: (route: Route) => unknown): Promise<unknown> =>
  page.route(url, fail, { times: 1 });

const expectSolving = async (page: Page): Promise<void> => {
  await expect(page.getByRole('checkbox', { name: 'Verifying... please wait.' })).toBeVisible();
  await expect.poll(() => page.workers().length).toBeGreaterThan(0);
};

const expectProfile = (page: Page): Promise<void> => expect(card(page)).toContainText('Marlow Finch');

/** Says the sentence, offers to retry, and gets there. */
const expectRecovery = async (page: Page, sentence: string): Promise<void> => {
  await expect(page.getByRole('alert')).toContainText(sentence);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expectProfile(page);
};

test.describe('the widget', () => {
  test('comes after 2.5 s: says that it is late, and goes on when it is there', async ({ page }) => {
    await page.route(/altcha-widget.*\.js/, (route) => setTimeout(() => void route.continue(), 2500));
    await start(page);
    await expect(page.getByRole('alert')).toHaveText(
      'captcha widget took too long to load. Check your connection and retry.',
    );
    await expectProfile(page);
  });

  test('cannot be loaded: says so, and loads it at the next try', async ({ page, problems }) => {
    problems.expect(/ERR_FAILED .*altcha-widget/);
    await page.route(/altcha-widget.*\.js/, (route) => route.abort());
    await start(page);
    await expect(page.getByRole('alert')).toContainText('captcha widget took too long to load.');
    await page.unroute(/altcha-widget.*\.js/);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expectProfile(page);
  });

  test('has no worker: fails at once, and may be tried again in the widget itself', async ({
    page,
    problems,
  }) => {
    problems.expect(/status of 404 .*sha256-worker/);
    problems.expect(/Unexpected result returned/);
    await page.route(/sha256-worker/, (route) => route.fulfill({ status: 404 }));
    await start(page);
    await expect(page.getByRole('alert')).toHaveText(FAILED);
    await expect(page.getByText('Verification failed. Try again later.')).toBeVisible();
    await page.unroute(/sha256-worker/);
    await page.getByRole('checkbox', { name: "I'm not a robot" }).click();
    await expectProfile(page);
  });

  test('is verified with nothing to show for it: asks to retry', async ({ page }) => {
    await failOnce(page, '/challenge', (route) => route.fulfill({ json: endlessChallenge() }));
    await start(page);
    await expectSolving(page);
    await page
      .locator('altcha-widget')
      .evaluate((widget) => widget.dispatchEvent(new CustomEvent('verified', { detail: {} })));
    await expectRecovery(page, 'Verification did not return a token. Please retry.');
  });
});

type RefusedChallenge = {
  readonly answer: Parameters<Route['fulfill']>[0];
  readonly sentence: string;
  readonly logged: RegExp;
};

const valid = endlessChallenge();
const refusedChallenges: Record<string, RefusedChallenge> = {
  'is refused with 429': {
    answer: {
      status: 429,
      json: { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 3 },
    },
    sentence: 'You have made too many requests.',
    logged: /429/,
  },
  'fails with 500': {
    answer: { status: 500, json: { error: 'Unexpected server error.', code: 'internal' } },
    sentence: 'Unexpected server error.',
    logged: /500/,
  },
  'fails in a proxy': {
    answer: { status: 502, body: '<h1>Bad gateway</h1>' },
    sentence: FAILED,
    logged: /502/,
  },
  'is no JSON': { answer: { body: '{"algorithm":' }, sentence: FAILED, logged: /JSON/ },
  'is null': { answer: { json: null }, sentence: FAILED, logged: /null/ },
  'has an unknown algorithm': {
    answer: { json: { ...valid, algorithm: 'MD5' } },
    sentence: FAILED,
    logged: /Unknown algorithm/,
  },
  'has no signature': {
    answer: { json: { ...valid, signature: undefined } },
    sentence: FAILED,
    logged: /signature is missing/,
  },
  'is shorter than 40 characters': {
    answer: { json: { ...valid, challenge: 'f'.repeat(39) } },
    sentence: FAILED,
    logged: /Challenge is too short/,
  },
  'has a salt shorter than 10 characters': {
    answer: { json: { ...valid, salt: '0'.repeat(9) } },
    sentence: FAILED,
    logged: /Salt is too short/,
  },
};

test.describe('the challenge', () => {
  test('is no good: says so, and retries', async ({ page, problems }) => {
    test.slow();
    await page.goto('/');
    for (const [fault, { answer, sentence, logged }] of Object.entries(refusedChallenges)) {
      await test.step(fault, async () => {
        problems.expect(logged);
        await failOnce(page, '/challenge', (route) => route.fulfill(answer));
        await submitId(page, ids.ordinary);
        await expectRecovery(page, sentence);
      });
    }
  });

  test('is refused: counts the wait down', async ({ page, problems }) => {
    problems.expect(/429/);
    await page.clock.install();
    const json = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 2 };
    await page.route('/challenge', (route) => route.fulfill({ status: 429, json }));
    await start(page);
    await expect(page.getByRole('alert')).toContainText('You can try again in 2 seconds.');
    await page.clock.runFor(2_000);
    await expect(page.getByText('You can try again now.').first()).toBeVisible();
  });

  test('cannot be fetched: says so, and retries', async ({ page, problems }) => {
    problems.expect(/ERR_FAILED|Failed to fetch/);
    await failOnce(page, '/challenge', (route) => route.abort());
    await start(page);
    await expectRecovery(page, 'The server cannot be reached. Check your connection and retry.');
  });

  test('never comes: gives up after 20 s, and retries', async ({ page }) => {
    await page.clock.install();
    await failOnce(page, '/challenge', () => undefined);
    await start(page);
    await expect(page.getByRole('checkbox', { name: 'Verifying... please wait.' })).toBeVisible();
    await page.clock.fastForward(20_000);
    await expectRecovery(page, FAILED);
  });

  test('expires while the modal is open: says so, and retries', async ({ page }) => {
    await failOnce(page, '/challenge', (route) => route.fulfill({ json: endlessChallenge(4) }));
    await start(page);
    await expectSolving(page);
    await expect(page.getByRole('alert')).toHaveText('Verification expired. Try again.');
    await expect.poll(() => page.workers().length).toBe(0);
    await expectRecovery(page, 'Verification expired. Try again.');
  });
});

test.describe('a visitor', () => {
  test('cancels half way through solving: all work ends, and nothing comes after', async ({ page }) => {
    await page.route('/challenge', (route) => route.fulfill({ json: endlessChallenge() }));
    await page.route('/lookup', () => expect('a lookup').toBe('none'));
    await start(page);
    await expectSolving(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect.poll(() => page.workers().length).toBe(0);
    await expect(page.locator('[role=alert]')).toHaveCount(0);
    await expect(idField(page)).toHaveValue(ids.ordinary);
  });

  test('cancels while the widget loads: it does not open any more', async ({ page }) => {
    const held = Promise.withResolvers<void>();
    await page.route(/altcha-widget.*\.js/, (route) => held.promise.then(() => route.continue()));
    await start(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    const loaded = page.waitForResponse(/altcha-widget.*\.js/);
    held.resolve();
    await loaded;
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await lookupButton(page).click();
    await expectProfile(page);
  });

  test('closes in the very moment the widget starts: it ends without a sound', async ({ page }) => {
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('altcha-widget .altcha') === null) return;
        observer.disconnect();
        document.querySelector<HTMLElement>('dialog[open] [aria-label=Close]')?.click();
      });
      observer.observe(document, { subtree: true, childList: true });
    });
    await start(page);
    await expect(page.locator('altcha-widget')).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await lookupButton(page).click();
    await expectProfile(page);
    await expect.poll(() => page.workers().length).toBe(0);
  });

  test('closes and reopens while it solves: solves the new challenge only', async ({ page }) => {
    const lookups: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && lookups.push(request.url()));
    await failOnce(page, '/challenge', (route) => route.fulfill({ json: endlessChallenge() }));
    await start(page);
    await expectSolving(page);
    await page.keyboard.press('Escape');
    await lookupButton(page).click();
    await expectProfile(page);
    expect(lookups).toHaveLength(1);
  });

  test('comes back to the page out of the back/forward cache: solves a new challenge', async ({ page }) => {
    await failOnce(page, '/challenge', (route) => route.fulfill({ json: endlessChallenge() }));
    await start(page);
    await expectSolving(page);
    // Playwright loses a page that is really restored, so the page is told that it was.
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await expectProfile(page);
  });
});
