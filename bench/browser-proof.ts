import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { startWithoutWasm } from './without-wasm.ts';
import { atLeast, interleave, ratio, type Benchmark } from './benchmark.ts';
import { launchBrowser, startProduct } from './server.ts';

const STOCK_AIM = 75;
const ONE_BY_ONE_AIM = 3;
const MAX_NUMBER = 1_000_000;
/** The same for all, at different depths of the workers' ranges. A draw would decide more than the worker does. */
const NUMBERS = [100_000, 250_000, 700_000];
const SALT = '0f1e2d3c4b5a69788796a5b4?expires=1893456000&';

/** Long enough for workers to start. */
const WAIT_MS = 300;

/**
 * Runs in the page. It splits the range as the widget does: one worker per core, at most 16, and each gets the same
 * share. A string, because this project's types know no browser.
 */
const SOLVE = `async ({ workerUrl, waiting, puzzle, maxNumber }) => {
  const count = Math.min(16, navigator.hardwareConcurrency);
  const share = Math.ceil(maxNumber / count);
  let startMs = performance.now();
  const workers = Array.from({ length: count }, () => new Worker(workerUrl));
  if (waiting) {
    for (const worker of workers) worker.postMessage({ type: 'warm-up' });
    await new Promise((resolve) => setTimeout(resolve, ${WAIT_MS}));
    startMs = performance.now();
  }
  const number = await new Promise((resolve, reject) => {
    for (const [index, worker] of workers.entries()) {
      worker.onerror = () => reject(new Error('The worker failed.'));
      worker.onmessage = ({ data }) => data && resolve(data.number);
      worker.postMessage({ type: 'work', payload: puzzle, start: index * share, max: (index + 1) * share });
    }
  });
  const tookMs = performance.now() - startMs;
  for (const worker of workers) worker.terminate();
  return { number, tookMs };
}`;

/** The file that the build made of a worker; its name carries a hash. */
const assetOf = (pattern: RegExp): string => {
  const folder = fileURLToPath(new URL('../dist/web/assets', import.meta.url));
  const name = readdirSync(folder).find((candidate) => pattern.test(candidate));
  if (name === undefined) throw new Error(`The build has no file like ${pattern.source}.`);
  return `/assets/${name}`;
};

/** `waiting`: the workers are there before the puzzle. */
type Workers = { readonly workerUrl: string; readonly waiting: boolean };

const solve = async (page: Page, workers: Workers, number: number): Promise<number> => {
  const puzzle = { algorithm: 'SHA-256', salt: SALT, challenge: hash('sha256', SALT + number) };
  const task = JSON.stringify({ ...workers, puzzle, maxNumber: MAX_NUMBER });
  const solution: { number: number; tookMs: number } = await page.evaluate(`(${SOLVE})(${task})`);
  if (solution.number !== number)
    throw new Error(`${workers.workerUrl} found ${solution.number}, not ${number}.`);
  return solution.tookMs;
};

export const browserProof: Benchmark = {
  name: 'browser',
  title: `Time to a proof in Chromium, at maxnumber ${MAX_NUMBER.toLocaleString('en')}`,
  run: async ({ quick }) => {
    await using product = await startProduct();
    await using browser = await launchBrowser();
    const origin = `http://localhost:${product.port}`;
    await using withoutWasm = await startWithoutWasm(origin);
    const openPage = async (site: string): Promise<Page> => {
      const page = await browser.newPage();
      await page.goto(site);
      return page;
    };
    const page = await openPage(origin);
    const scalarPage = await openPage(withoutWasm.origin);
    const numbers = quick ? NUMBERS.slice(0, 1) : NUMBERS;
    const solveAll = (page: Page, workers: Workers) => async (): Promise<number> => {
      let totalMs = 0;
      for (const number of numbers) totalMs += await solve(page, workers, number);
      return totalMs / numbers.length;
    };
    const waiting = { workerUrl: assetOf(/^sha256-worker-.*\.js$/), waiting: true };
    const stockWorker = { workerUrl: assetOf(/^worker-.*\.js$/), waiting: false };
    const { ours, oneByOne, stock } = await interleave(quick ? 1 : 3, {
      ours: solveAll(page, waiting),
      oneByOne: solveAll(scalarPage, waiting),
      stock: solveAll(page, stockWorker),
    });
    return {
      method: [
        `Chromium ${browser.version()}: the built worker files, driven by their own messages in a page of the product, the range`,
        `split as the widget splits it. From the puzzle to the first answer; numbers ${numbers.join(', ')} in turn.`,
        'Our workers wait for the puzzle, as half of them do from the focus of the field on. The stock worker starts with it.',
        'One by one: the same file where the policy does not let it compile WebAssembly.',
      ],
      figures: [
        { what: 'faster than the stock worker, times', ...ratio(stock, ours), aim: atLeast(STOCK_AIM) },
        { what: 'faster than one by one, times', ...ratio(oneByOne, ours), aim: atLeast(ONE_BY_ONE_AIM) },
        { what: '  per proof, ours', samples: ours, unit: 'ms' },
        { what: '  per proof, one by one', samples: oneByOne, unit: 'ms' },
        { what: '  per proof, stock', samples: stock, unit: 'ms' },
      ],
    };
  },
};
