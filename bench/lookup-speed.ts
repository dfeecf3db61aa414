import type { Page } from '@playwright/test';
import { atMost, type Benchmark } from './benchmark.ts';
import { launchBrowser, PROFILE_ID, startProduct } from './server.ts';

const ANSWER_AIM_MS = 120;
const AT_ONCE_AIM_MS = 300;
const MODAL_AIM_MS = 400;
const MAX_NUMBER = '1000000';

/** Runs in the page; a string, because this project's types know no browser. It notes when the modal comes and goes, and when the card is there. */
const WATCH = `() => {
  const at = {};
  const note = (name) => { at[name] ??= performance.now(); };
  addEventListener('keydown', () => note('pressed'), true);
  new MutationObserver(() => {
    if (document.querySelector('dialog[open]')) note('opened');
    else if (at.opened) note('closed');
    if (document.querySelector('article')) note('answered');
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['open'] });
  globalThis.lookupTimes = at;
}`;
const REQUEST_MS = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/lookup')).at(-1).duration`;

type Times = Readonly<Record<'pressed' | 'opened' | 'closed' | 'answered', number>>;
/** `ownMs`: from the press to the answer, without the request. */
type Lookup = { readonly ownMs: number; readonly modalMs: number; readonly requestMs: number };

/** One lookup on a fresh page. `ready`: the press comes when the proof is there. */
const lookUp = async (page: Page, url: string, ready: boolean): Promise<Lookup> => {
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.evaluate(`(${WATCH})()`);
  const field = page.getByLabel('Discord ID');
  const started = page.waitForEvent('worker');
  await field.focus();
  // The rest of the page's code is there as it is when an ID was typed by hand.
  await page.waitForLoadState('networkidle');
  const worker = await started;
  await field.fill(PROFILE_ID);
  if (ready && page.workers().includes(worker)) await worker.waitForEvent('close');
  await page.keyboard.press('Enter');
  await page.getByRole('article').waitFor();
  const { pressed, opened, closed, answered }: Times = await page.evaluate('lookupTimes');
  const requestMs: number = await page.evaluate(REQUEST_MS);
  return { ownMs: answered - pressed - requestMs, modalMs: closed - opened, requestMs };
};

export const lookupSpeed: Benchmark = {
  name: 'lookup',
  title: `From the press to the profile in Chromium, at maxnumber ${Number(MAX_NUMBER).toLocaleString('en')}`,
  run: async ({ quick }) => {
    await using product = await startProduct({ POW_MAX_NUMBER: MAX_NUMBER });
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    const url = `http://localhost:${product.port}/`;
    await lookUp(page, url, true);
    const [ahead, atOnce]: [Lookup[], Lookup[]] = [[], []];
    for (let round = 0; round < (quick ? 3 : 15); round += 1) {
      ahead.push(await lookUp(page, url, true));
      atOnce.push(await lookUp(page, url, false));
    }
    const of = (lookups: readonly Lookup[], part: keyof Lookup) => ({
      samples: lookups.map((lookup) => lookup[part]),
      unit: 'ms',
    });
    return {
      method: [
        `Chromium ${browser.version()}, a fresh page each round. The ID is filled in; Enter is pressed when its proof was solved ahead, or at once.`,
        'The time that the request itself takes (server and platform) is a line of its own and not part of the first.',
      ],
      figures: [
        { what: 'press to profile, proof ready', ...of(ahead, 'ownMs'), aim: atMost(ANSWER_AIM_MS) },
        { what: '  the modal is open for', ...of(ahead, 'modalMs'), aim: atMost(MODAL_AIM_MS) },
        { what: '  the request takes', ...of(ahead, 'requestMs') },
        { what: 'press to profile, proof not begun', ...of(atOnce, 'ownMs'), aim: atMost(AT_ONCE_AIM_MS) },
        { what: '  the modal is open for', ...of(atOnce, 'modalMs') },
      ],
    };
  },
};
