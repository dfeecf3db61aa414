import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Benchmark, Figure } from './benchmark.ts';
import { temporaryFolder } from './child-server.ts';
import { PROFILE_ID, startProduct } from './http-servers.ts';
import { median, spread } from './rounds.ts';

/** Fetched when it is needed: as a dependency it would double what every clone installs. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CHROME_FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const PATHS = ['/', `/?id=${PROFILE_ID}`, '/token-donation', '/status'];

type Visit = {
  readonly scores: Readonly<Record<string, number>>;
  readonly shift: number;
  readonly paintMs: number;
};

type LighthouseResult = {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
};

const run = promisify(execFile);

const visit = async (url: string): Promise<Visit> => {
  const options = [
    '--output=json',
    '--quiet',
    `--chrome-flags=${CHROME_FLAGS}`,
    `--only-categories=${CATEGORIES.join()}`,
  ];
  const { stdout } = await run(
    'npm',
    ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url, ...options],
    {
      env: { ...process.env, CHROME_PATH: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' },
      maxBuffer: 64 * 2 ** 20,
    },
  );
  const { categories, audits } = JSON.parse(stdout) as LighthouseResult;
  const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)] as const);
  return {
    scores: Object.fromEntries(scores),
    shift: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    paintMs: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
  };
};

const figuresOf = (path: string, visits: readonly Visit[]): Figure[] => {
  const rounds = visits.length;
  const scores = CATEGORIES.map((name): Figure => {
    const samples = visits.map((one) => one.scores[name] ?? Number.NaN);
    const value = median(samples);
    return {
      what: `${path} ${name}`,
      value: String(value),
      spread: spread(samples, 0),
      rounds,
      aim: '100',
      met: value === 100,
    };
  });
  const shifts = visits.map(({ shift }) => shift);
  const paints = visits.map(({ paintMs }) => paintMs);
  return [
    ...scores,
    {
      what: `${path} layout shift`,
      value: String(median(shifts)),
      spread: spread(shifts, 3),
      rounds,
      aim: '0',
      met: Math.max(...shifts) === 0,
    },
    {
      what: `  ${path} largest paint`,
      value: `${median(paints).toFixed(0)} ms`,
      spread: spread(paints, 0),
      rounds,
      aim: '',
      met: null,
    },
  ];
};

export const lighthouseScores: Benchmark = {
  name: 'lighthouse',
  run: async ({ quick }) => {
    using folder = temporaryFolder();
    await using product = await startProduct(folder.path);
    const figures: Figure[] = [];
    for (const path of PATHS) {
      const visits: Visit[] = [];
      for (let round = 0; round < (quick ? 1 : 3); round += 1) {
        visits.push(await visit(`http://localhost:${product.port}${path}`));
      }
      figures.push(...figuresOf(path, visits));
    }
    return {
      title: `Lighthouse (${LIGHTHOUSE}), mobile`,
      method: [
        'Its own settings for a phone, with simulated throttling; each page loaded afresh, median of the rounds.',
      ],
      figures,
    };
  },
};
