import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { atLeast, atMost, type Benchmark, type Figure } from './benchmark.ts';
import { PROFILE_ID, startProduct } from './server.ts';

/** Fetched when it is needed: as a dependency it would double what every clone installs. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CHROME_FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
/** It asks not to be indexed, so SEO says nothing about it. */
const LINK = `/?id=${PROFILE_ID}`;
const PATHS = ['/', LINK, '/token-donation', '/status'];

type LighthouseResult = {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
};

const run = promisify(execFile);

const visit = async (url: string): Promise<LighthouseResult> => {
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
  return JSON.parse(stdout) as LighthouseResult;
};

const figuresOf = (path: string, visits: readonly LighthouseResult[]): Figure[] => {
  const audit = (name: string): number[] =>
    visits.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN);
  const shifts = audit('cumulative-layout-shift');
  return [
    ...CATEGORIES.filter((name) => path !== LINK || name !== 'seo').map((name) => ({
      what: `${path} ${name}`,
      samples: visits.map(({ categories }) => Math.round((categories[name]?.score ?? 0) * 100)),
      aim: atLeast(path === LINK && name === 'performance' ? 98 : 100),
    })),
    { what: `${path} blocked`, samples: audit('total-blocking-time'), unit: 'ms' },
    { what: `${path} layout shift`, samples: shifts, value: Math.max(...shifts), digits: 3, aim: atMost(0) },
    { what: `${path} LCP`, samples: audit('largest-contentful-paint'), unit: 'ms', aim: atMost(900) },
  ];
};

export const lighthouseScores: Benchmark = {
  name: 'lighthouse',
  title: `Lighthouse (${LIGHTHOUSE}), mobile`,
  run: async ({ quick }) => {
    await using product = await startProduct();
    const figures: Figure[] = [];
    for (const path of PATHS) {
      const visits: LighthouseResult[] = [];
      for (let round = 0; round < (quick ? 1 : 9); round += 1)
        visits.push(await visit(`http://localhost:${product.port}${path}`));
      figures.push(...figuresOf(path, visits));
    }
    return {
      method: [
        'Its own settings for a phone, with simulated throttling; each page loaded afresh, median of the rounds.',
      ],
      figures,
    };
  },
};
