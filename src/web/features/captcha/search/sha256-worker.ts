/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
import { createNumberSearch } from './number-search.ts';
import { createSimdSearch } from './simd-search.ts';

type Work = {
  readonly type: 'work';
  readonly payload: { readonly salt: string; readonly challenge: string };
  readonly start: number;
  readonly max: number;
};

/** Whole hundreds, as the search takes them. */
const NUMBERS_PER_STEP = 5_000;
/** Terminating a worker is prompt only while it goes back to its event loop; Chromium otherwise waits two seconds. */
const YIELD_AFTER_MS = 40;

const skipHundreds = createSimdSearch();

const nowMs = (): number => self.performance.now();

const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

const solve = async ({ payload, start, max }: Work): Promise<number | undefined> => {
  const search = createNumberSearch(payload, skipHundreds);
  let yieldedMs = nowMs();
  for (let from = start; from <= max; from += NUMBERS_PER_STEP) {
    const number = search(from, Math.min(from + NUMBERS_PER_STEP, max + 1));
    if (number !== undefined) return number;
    if (nowMs() - yieldedMs < YIELD_AFTER_MS) continue;
    await yieldToEventLoop();
    yieldedMs = nowMs();
  }
  return undefined;
};

const answer = async (work: Work): Promise<void> => {
  const number = await solve(work);
  const simd = skipHundreds !== undefined;
  self.postMessage(number === undefined ? null : { number, simd });
};

/** Lets the browser optimise the search before there is anything to search for. It finds nothing. */
const warmUp = (): void => {
  createNumberSearch({ salt: '', challenge: '0'.repeat(64) }, skipHundreds)(0, NUMBERS_PER_STEP);
};

self.addEventListener('message', ({ data }: MessageEvent<Work | { readonly type: 'warm-up' }>) => {
  if (data.type === 'work') void answer(data);
  else warmUp();
});
