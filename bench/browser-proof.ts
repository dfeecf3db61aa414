import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import type { Benchmark } from './benchmark.ts';
import { temporaryFolder } from './child-server.ts';
import { startProduct } from './http-servers.ts';
import { compare, interleave, median, samplesOf, spread, type Samples } from './rounds.ts';

const AIM = 15;
const MAX_NUMBER = 1_000_000;
/** The same for both, at different depths of the workers' ranges. A draw would decide more than the worker does. */
const NUMBERS = [100_000, 250_000, 700_000];
const QUICK_NUMBERS = [30_000];
const SALT = '0f1e2d3c4b5a69788796a5b4?expires=1893456000&';

/**
 * Runs in the page. It splits the range as the widget does: one worker per core, at most 16, and each gets the same
 * share. A string, because this project's types know no browser.
 */
const SOLVE = `async ({ workerUrl, puzzle, maxNumber }) => {
  const count = Math.min(16, navigator.hardwareConcurrency);
  const share = Math.ceil(maxNumber / count);
  const startMs = performance.now();
  const workers = [];
  const number = await new Promise((resolve, reject) => {
    for (let index = 0; index < count; index += 1) {
      const worker = new Worker(workerUrl);
      workers.push(worker);
      worker.onerror = () => reject(new Error('The worker failed.'));
      worker.onmessage = ({ data }) => data && resolve(data.number);
      worker.postMessage({ type: 'work', payload: puzzle, start: index * share, max: (index + 1) * share });
    }
  });
  const tookMs = performance.now() - startMs;
  for (const worker of workers) worker.terminate();
  return { number, tookMs, count };
}`;

type Solution = { readonly number: number; readonly tookMs: number; readonly count: number };

/** The file that the build made of a worker; its name carries a hash. */
const assetOf = (pattern: RegExp): string => {
  const folder = fileURLToPath(new URL('../dist/web/assets', import.meta.url));
  const name = readdirSync(folder).find((candidate) => pattern.test(candidate));
  if (name === undefined) throw new Error(`The build has no file like ${pattern.source}.`);
  return `/assets/${name}`;
};

const solve = async (page: Page, workerUrl: string, number: number): Promise<Solution> => {
  const puzzle = { algorithm: 'SHA-256', salt: SALT, challenge: hash('sha256', SALT + number) };
  const task = JSON.stringify({ workerUrl, puzzle, maxNumber: MAX_NUMBER });
  const solution: Solution = await page.evaluate(`(${SOLVE})(${task})`);
  if (solution.number !== number) throw new Error(`${workerUrl} found ${solution.number}, not ${number}.`);
  return solution;
};

export const browserProof: Benchmark = {
  name: 'browser',
  run: async ({ quick }) => {
    using folder = temporaryFolder();
    await using product = await startProduct(folder.path);
    await using browser = await chromium.launch({
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${product.port}/`);
    const numbers = quick ? QUICK_NUMBERS : NUMBERS;
    const rounds = quick ? 1 : 3;
    let workers = 0;
    const solveAll = (workerUrl: string) => async (): Promise<number> => {
      let totalMs = 0;
      for (const number of numbers) {
        const { tookMs, count } = await solve(page, workerUrl, number);
        totalMs += tookMs;
        workers = count;
      }
      return totalMs / numbers.length;
    };
    const samples = await interleave(
      [
        { name: 'ours', round: solveAll(assetOf(/^sha256-worker-.*\.js$/)) },
        { name: 'stock', round: solveAll(assetOf(/^worker-.*\.js$/)) },
      ],
      rounds,
    );
    const ours = samplesOf(samples, 'ours');
    const stock = samplesOf(samples, 'stock');
    const { ratio, pairs } = compare(stock, ours);
    const line = (what: string, ms: Samples) => ({
      what,
      value: `${median(ms).toFixed(0)} ms`,
      spread: spread(ms, 0),
      rounds,
      aim: '',
      met: null,
    });
    return {
      title: `Time to a proof in Chromium ${browser.version()}, at maxnumber ${MAX_NUMBER.toLocaleString('en')}`,
      method: [
        `The built worker files, driven by their own messages in a page of the product; ${workers} workers, the range split`,
        `as the widget splits it. From the start of the workers to the first answer; numbers ${numbers.join(', ')} in turn.`,
      ],
      figures: [
        {
          what: 'faster than the stock worker, times',
          value: ratio.toFixed(1),
          spread: spread(pairs, 1),
          rounds,
          aim: `≥ ${AIM}`,
          met: ratio >= AIM,
        },
        line('  per proof, ours', ours),
        line('  per proof, stock', stock),
      ],
    };
  },
};
