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

/**
 * Runs in the page. It splits the range as the widget does: one worker per core, at most 16, and each gets the same
 * share. A string, because this project's types know no browser.
 */
const SOLVE = `async ({ workerUrl, puzzle, maxNumber }) => {
  const count = Math.min(16, navigator.hardwareConcurrency);
  const share = Math.ceil(maxNumber / count);
  const startMs = performance.now();
  const workers = Array.from({ length: count }, () => new Worker(workerUrl));
  const number = await new Promise((resolve, reject) => {
    for (const [index, worker] of workers.entries()) {
      worker.onerror = () => reject(new Error('The worker failed.'));
      worker.onmessage = ({ data }) => data && resolve(data.number);
      const [start, end] = [index * share, (index + 1) * share];
      worker.postMessage({ type: 'work', payload: puzzle, puzzle, start, max: end, end });
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

const STOCK_WORKER = '/assets/stock-worker.js';

const solve = async (page: Page, workerUrl: string, number: number): Promise<number> => {
  const puzzle = { algorithm: 'SHA-256', salt: SALT, challenge: hash('sha256', SALT + number) };
  const task = JSON.stringify({ workerUrl, puzzle, maxNumber: MAX_NUMBER });
  const solution: { number: number; tookMs: number } = await page.evaluate(`(${SOLVE})(${task})`);
  if (solution.number !== number) throw new Error(`${workerUrl} found ${solution.number}, not ${number}.`);
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
    const solveAll = (page: Page, workerUrl: string) => async (): Promise<number> => {
      let totalMs = 0;
      for (const number of numbers) totalMs += await solve(page, workerUrl, number);
      return totalMs / numbers.length;
    };
    const workerUrl = assetOf(/^sha256-worker-.*\.js$/);
    await page.route(STOCK_WORKER, (route) =>
      route.fulfill({ path: fileURLToPath(import.meta.resolve('altcha/worker')) }),
    );
    const { ours, oneByOne, stock } = await interleave(quick ? 1 : 3, {
      ours: solveAll(page, workerUrl),
      oneByOne: solveAll(scalarPage, workerUrl),
      stock: solveAll(page, STOCK_WORKER),
    });
    return {
      method: [
        `Chromium ${browser.version()}: the built worker files, driven by their own messages in a page of the product, the range`,
        `split as the widget splits it. From the puzzle to the first answer; numbers ${numbers.join(', ')} in turn.`,
        'All workers start with the puzzle; the stock worker comes from its package.',
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
