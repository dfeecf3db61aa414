/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
import { createNumberSearch } from './number-search.ts';
import type { Puzzle } from './range-search.ts';
import { createSimdSearch } from './simd-search.ts';

type Work = { readonly puzzle: Puzzle; readonly start: number; readonly end: number };

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

/** By the browser's own hash, for what servers other than ours may ask: sixty times as slow. */
const createSlowSearch = ({ algorithm, salt, challenge }: Puzzle) => {
  const encoder = new TextEncoder();
  return async (from: number, to: number): Promise<number | undefined> => {
    for (let number = from; number < to; number += 1) {
      const digest = await crypto.subtle.digest(algorithm, encoder.encode(salt + String(number)));
      const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
      if (hex === challenge) return number;
    }
    return undefined;
  };
};

const solve = async ({ puzzle, start, end }: Work): Promise<number | undefined> => {
  const isFast = puzzle.algorithm.toUpperCase() === 'SHA-256';
  const search = isFast ? createNumberSearch(puzzle, skipHundreds) : createSlowSearch(puzzle);
  const step = isFast ? NUMBERS_PER_STEP : 100;
  let yieldedMs = nowMs();
  for (let from = start; from < end; from += step) {
    const number = await search(from, Math.min(from + step, end));
    if (number !== undefined) return number;
    if (nowMs() - yieldedMs < YIELD_AFTER_MS) continue;
    await yieldToEventLoop();
    yieldedMs = nowMs();
  }
  return undefined;
};

const answer = async (work: Work): Promise<void> => {
  const number = await solve(work);
  self.postMessage(number === undefined ? null : { number, simd: skipHundreds !== undefined });
};

self.addEventListener('message', ({ data }: MessageEvent<Work>) => void answer(data));
