import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/browser-test.ts';
import { alert, captcha, card, idField, ids, lookUp, lookupButton, submitId } from './support/lookup-page.ts';
import { answer, hold, holdUntilReleased } from './support/server-answers.ts';

type LayoutShift = PerformanceEntry & {
  readonly value: number;
  readonly sources: { readonly node?: Element }[];
};

declare global {
  // oxlint-disable-next-line no-var -- a global of the page under test
  var takeShifts: () => { value: number; moved: string[] }[];
  // oxlint-disable-next-line no-var -- another one
  var footersAtFirstFrame: number;
}

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: LayoutShift[] = [];
    const observer = new PerformanceObserver((list) => shifts.push(...(list.getEntries() as LayoutShift[])));
    observer.observe({ type: 'layout-shift', buffered: true });
    globalThis.takeShifts = () => {
      shifts.push(...(observer.takeRecords() as LayoutShift[]));
      return shifts.splice(0).map(({ value, sources }) => ({
        value,
        moved: sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 80) ?? ''),
      }));
    };
  });

const painted = (page: Page): Promise<unknown> =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
      }),
  );

const takeShifts = async (page: Page): Promise<unknown[]> => {
  await painted(page);
  return page.evaluate(() => globalThis.takeShifts());
};

/** The typeface may move letters by a pixel when it comes. */
const typefaceCame = async (page: Page): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  await takeShifts(page);
};

const expectNoShift = async (page: Page): Promise<void> => {
  expect.soft(await takeShifts(page)).toEqual([]);
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
  await painted(page);
  releaseLookup();
  await expect(answered).toBeVisible();
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  await expectNoShift(page);
};

// In a tall window the end of the page is in sight as well.
for (const [width, height] of [
  [360, 800],
  [1280, 1400],
] as const) {
  test(`nothing shifts during lookups, whatever comes of them, ${width}×${height}`, async ({
    page,
    problems,
  }) => {
    problems.expect(/status of (?:404|429) .*\/lookup$/);
    await page.setViewportSize({ width, height });
    await watchShifts(page);
    await page.goto('/');
    await typefaceCame(page);
    await expectAnswerWithoutShift(page, ids.noAvatar, card(page));
    await expectAnswerWithoutShift(page, ids.nobody, alert(page));
    await answer(page, '/lookup', { status: 429, json: TOO_MANY });
    await expectAnswerWithoutShift(page, ids.ordinary, alert(page).filter({ hasText: TOO_MANY.error }));
  });
}

test('the ring around the field stays while the captcha has the focus', async ({ page }) => {
  await hold(page, '/challenge');
  await lookUp(page, ids.ordinary);
  await expect(captcha(page)).toBeFocused();
  await expect(idField(page).locator('..')).toHaveCSS('outline-style', 'solid');
});

test('neither the help with an ID nor a note on the next one moves what is there', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto('/');
  const help = page.getByText('Where do I find an ID?');
  const topOf = async (part: Locator): Promise<number | undefined> => (await part.boundingBox())?.y;
  const closed = await topOf(help);
  await help.click();
  await expect(page.getByText('right-click the person')).toBeVisible();
  expect(await topOf(help)).toBe(closed);

  await submitId(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
  const alone = await topOf(card(page));
  await idField(page).fill('somebody');
  await expect(page.getByText('looks like a name')).toBeVisible();
  expect(await topOf(card(page))).toBe(alone);
});

const PATHS = ['/', `/?id=${ids.ordinary}`, '/token-donation', '/donate', '/contact', '/status'];

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

/** Serves the page up to the end of its header, and the rest when it is told to. */
const serveInHalves = async (html: string, rest: Promise<void>) => {
  const half = html.indexOf('</header>');
  const server = createServer((request, response) => {
    const whole = request.url !== '/';
    response.writeHead(200, { 'content-type': whole ? 'text/javascript' : 'text/html' });
    if (whole) return void response.end();
    response.write(html.slice(0, half));
    void rest.then(() => response.end(html.slice(half)));
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://localhost:${port}`, close: () => server.close() };
};

test('a page that arrives in pieces is painted when all of it is there', async ({ page, request }) => {
  const { promise, resolve: sendRest } = Promise.withResolvers<void>();
  const server = await serveInHalves(await (await request.get('/')).text(), promise);
  await page.addInitScript(() => {
    requestAnimationFrame(() => {
      globalThis.footersAtFirstFrame = document.getElementsByTagName('footer').length;
    });
  });
  await page.goto(server.origin, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Dark theme' }).waitFor({ state: 'attached' });
  // In that time a page that does not wait for its rest has long been painted.
  await page.evaluate(async () => {
    for (let answers = 0; answers < 100; answers += 1) await fetch('/another');
  });
  sendRest();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await painted(page);
  expect(await page.evaluate(() => globalThis.footersAtFirstFrame)).toBe(1);
  server.close();
});
