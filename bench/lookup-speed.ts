import { chromium, type Page } from '@playwright/test';
import type { Benchmark, Figure } from './benchmark.ts';
import { temporaryFolder } from './child-server.ts';
import { PROFILE_ID, startProduct } from './http-servers.ts';
import { median, spread, type Samples } from './rounds.ts';

const ANSWER_AIM_MS = 150;
const MODAL_AIM_MS = 400;
const ROUNDS = 15;
const QUICK_ROUNDS = 3;
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

type Times = Readonly<Record<'pressed' | 'opened' | 'closed' | 'answered', number>>;
type Lookup = { readonly answerMs: number; readonly modalMs: number; readonly serverMs: number };

const serverTimeOf = (page: Page): Promise<number> =>
  page.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/lookup')).at(-1).duration`,
  );

/** One lookup on a fresh page. `ready`: the press comes when the proof is there. */
const lookUp = async (page: Page, url: string, ready: boolean): Promise<Lookup> => {
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.evaluate(`(${WATCH})()`);
  const field = page.getByLabel('Discord ID');
  await field.focus();
  // The rest of the page's code is there as it is when an ID was typed by hand.
  await page.waitForLoadState('networkidle');
  const started = ready ? page.waitForEvent('worker') : undefined;
  await field.fill(PROFILE_ID);
  if (started) {
    const worker = await started;
    if (page.workers().includes(worker)) await worker.waitForEvent('close');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('article').waitFor();
  const { pressed, opened, closed, answered }: Times = await page.evaluate('lookupTimes');
  return { answerMs: answered - pressed, modalMs: closed - opened, serverMs: await serverTimeOf(page) };
};

const figure = (what: string, ms: Samples, aimMs?: number): Figure => ({
  what,
  value: `${median(ms).toFixed(0)} ms`,
  spread: spread(ms, 0),
  rounds: ms.length,
  aim: aimMs === undefined ? '' : `≤ ${aimMs} ms`,
  met: aimMs === undefined ? null : median(ms) <= aimMs,
});

export const lookupSpeed: Benchmark = {
  name: 'lookup',
  run: async ({ quick }) => {
    using folder = temporaryFolder();
    await using product = await startProduct(folder.path, { POW_MAX_NUMBER: MAX_NUMBER });
    await using browser = await chromium.launch({
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    const page = await browser.newPage();
    const url = `http://localhost:${product.port}/`;
    const rounds = async (ready: boolean): Promise<readonly Lookup[]> => {
      const lookups: Lookup[] = [];
      for (let round = 0; round < (quick ? QUICK_ROUNDS : ROUNDS); round += 1)
        lookups.push(await lookUp(page, url, ready));
      return lookups;
    };
    await lookUp(page, url, true);
    const ahead = await rounds(true);
    const atOnce = await rounds(false);
    const own = ({ answerMs, serverMs }: Lookup): number => answerMs - serverMs;
    return {
      title: `From the press to the profile in Chromium ${browser.version()}, at maxnumber ${Number(MAX_NUMBER).toLocaleString('en')}`,
      method: [
        'A fresh page each round. The ID is filled in; Enter is pressed when its proof was solved ahead, or at once.',
        'The time that the request itself takes (server and platform) is told apart and taken off the first line.',
      ],
      figures: [
        figure('press to profile, proof ready', ahead.map(own), ANSWER_AIM_MS),
        figure(
          '  the modal is open for',
          ahead.map(({ modalMs }) => modalMs),
          MODAL_AIM_MS,
        ),
        figure(
          '  the request takes',
          ahead.map(({ serverMs }) => serverMs),
        ),
        figure('press to profile, proof not begun', atOnce.map(own)),
        figure(
          '  the modal is open for',
          atOnce.map(({ modalMs }) => modalMs),
        ),
      ],
    };
  },
};
