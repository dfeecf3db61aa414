import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/browser-test.ts';
import { alert, captcha, card, ids, lookupButton, submitId } from './support/lookup-page.ts';
import { answer, holdUntilReleased } from './support/server-answers.ts';

type LayoutShift = PerformanceEntry & {
  readonly value: number;
  readonly sources: { readonly node?: Element }[];
};

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: string[] = [];
    const note = (entries: PerformanceEntryList): void => {
      for (const { value, sources } of entries as LayoutShift[])
        shifts.push(
          `${value} ${sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 80)).join()}`,
        );
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const takeShifts = async (): Promise<string[]> => {
      await painted();
      note(observer.takeRecords());
      return shifts.splice(0);
    };
    Object.assign(globalThis, { painted, takeShifts });
  });

const takeShifts = (page: Page): Promise<string[]> => page.evaluate('takeShifts()');
const expectNoShift = async (page: Page): Promise<void> => expect.soft(await takeShifts(page)).toEqual([]);

/** The typeface may move letters by a pixel when it comes. */
const typefaceCame = async (page: Page): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  await takeShifts(page);
};

const TOO_MANY = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 40 };

const expectAnswerWithoutShift = async (page: Page, id: string, answered: Locator): Promise<void> => {
  const releaseChallenge = await holdUntilReleased(page, '/challenge');
  const releaseLookup = await holdUntilReleased(page, '/lookup');
  await expectNoShift(page);
  await submitId(page, id);
  await expect(captcha(page).getByRole('checkbox')).toBeVisible();
  // The captcha does not wait until the page has made room.
  await expect(page.locator('main [inert]')).toBeVisible();
  // What follows a press at once may move others. The browser means half a second by that, which a busy machine exceeds.
  await takeShifts(page);
  releaseChallenge();
  await expect(lookupButton(page)).toHaveText('Looking up…');
  await page.evaluate('painted()');
  releaseLookup();
  await expect(answered).toBeVisible();
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  await expectNoShift(page);
};

test('nothing shifts during lookups, whatever comes of them', async ({ page, problems }) => {
  problems.expect(/status of (?:404|429) .*\/lookup$/);
  await watchShifts(page);
  // In a tall window the end of the page is in sight as well.
  for (const [width, height] of [
    [360, 800],
    [1280, 1400],
  ] as const) {
    await page.unrouteAll();
    await page.setViewportSize({ width, height });
    await page.goto('/');
    await typefaceCame(page);
    await expectAnswerWithoutShift(page, ids.noAvatar, card(page));
    await expectAnswerWithoutShift(page, ids.nobody, alert(page));
    await answer(page, '/lookup', { status: 429, json: TOO_MANY });
    await expectAnswerWithoutShift(page, ids.ordinary, alert(page).filter({ hasText: TOO_MANY.error }));
  }
});

const PATHS = ['/', `/?id=${ids.ordinary}`, '/token-donation', '/donate', '/status'];

test('nothing shifts when the scripts of a page start', async ({ page }) => {
  await watchShifts(page);
  for (const path of PATHS) {
    const release = await holdUntilReleased(page, /\/assets\/.*\.js/);
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await typefaceCame(page);
    release();
    await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute(
      'aria-pressed',
      /true|false/,
    );
    // A link to a profile is answered by itself, so no press excuses what moves.
    if (path.includes('id=')) await expect(card(page)).toBeVisible();
    await expectNoShift(page);
    await page.unrouteAll();
  }
});
