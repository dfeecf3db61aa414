import { brotliCompressSync } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import { weighBareReactPage } from './bare-react-page.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { temporaryFolder } from './child-server.ts';
import { PROFILE_ID, startProduct } from './http-servers.ts';
import { watchPageFiles, type PageFile } from './page-files.ts';

const JS_AIM = 1.15;
const CSS_AIM_BYTES = 6_000;
const ALTCHA_AIM_BYTES = 22_000;
/** The widget with all that it imports, its styles and its worker; the rest of what a lookup fetches shows the answer. */
const ALTCHA_FILE = /^(?:altcha|captcha|sha256)/;

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;
const weight = (files: readonly PageFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
const list = (files: readonly PageFile[]): string =>
  files.map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`).join(', ');

const figure = (what: string, value: string, verdict?: Pick<Figure, 'aim' | 'met'>): Figure => ({
  what,
  value,
  spread: '',
  rounds: 1,
  aim: '',
  met: null,
  ...verdict,
});

const atMost = (files: readonly PageFile[], aimBytes: number): Pick<Figure, 'aim' | 'met'> => ({
  aim: `≤ ${kilobytes(aimBytes)}`,
  met: weight(files) <= aimBytes,
});

/** Styles that stand in the page itself. */
const inlineStyles = async (page: Page): Promise<readonly PageFile[]> =>
  (await page.locator('style').allTextContents()).map((text) => ({
    name: 'in the page',
    kind: 'css',
    bytes: brotliCompressSync(text).length,
  }));

/** What a browser fetches for the first page, and what one lookup adds. */
const fetchedFiles = async (): Promise<{ first: readonly PageFile[]; later: readonly PageFile[] }> => {
  using folder = temporaryFolder();
  await using product = await startProduct(folder.path);
  await using browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const page = await browser.newPage();
  const files = watchPageFiles(page);
  await page.goto(`http://localhost:${product.port}/`, { waitUntil: 'networkidle' });
  const first = [...(await files.take()), ...(await inlineStyles(page))];
  await page.getByLabel('Discord ID').fill(PROFILE_ID);
  await page.keyboard.press('Enter');
  await page.getByRole('article').waitFor();
  return { first, later: await files.take() };
};

export const webWeight: Benchmark = {
  name: 'web',
  run: async () => {
    const floor = await weighBareReactPage();
    const { first, later } = await fetchedFiles();
    const scripts = first.filter(({ kind }) => kind === 'js');
    const styles = first.filter(({ kind }) => kind === 'css');
    const altcha = later.filter(({ name }) => ALTCHA_FILE.test(name));
    const answer = later.filter((file) => !altcha.includes(file));
    const ratio = weight(scripts) / floor;
    return {
      title: 'Weight of the pages in brotli bytes, as a browser fetches them',
      method: [
        'The floor is a page with React and one heading, built in this run in the same way.',
        `First load of /: ${list(first)}.`,
        `On first focus of the form, altcha: ${list(altcha)}.`,
        `On first focus of the form, answer: ${list(answer)}.`,
      ],
      figures: [
        figure('JS of the first load, times bare React', ratio.toFixed(2), {
          aim: `≤ ${JS_AIM}`,
          met: ratio <= JS_AIM,
        }),
        figure('  JS, product', kilobytes(weight(scripts))),
        figure('  JS, bare React', kilobytes(floor)),
        figure('CSS of the first load', kilobytes(weight(styles)), atMost(styles, CSS_AIM_BYTES)),
        figure('altcha, lazy', kilobytes(weight(altcha)), atMost(altcha, ALTCHA_AIM_BYTES)),
        figure('answer, lazy', kilobytes(weight(answer))),
      ],
    };
  },
};
