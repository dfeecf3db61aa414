import { brotliCompressSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { sum } from '#test/suites/load/figures.ts';
import { atMost, type Benchmark } from './benchmark.ts';
import { launchBrowser, PROFILE_ID, startProduct } from './server.ts';

const JS_AIM_KB = 66;
const CSS_AIM_KB = 7;
const ALTCHA_AIM_KB = 22;
/** The widget with all that it imports, its styles and its worker; the rest of what a lookup fetches shows the answer. */
const ALTCHA_FILE = /^(?:altcha|captcha|sha256)/;
const NAME = /\/(?<stem>[\w-]+?)(?:-[\w-]{8})?\.(?<kind>js|css)$/;

/** A script or style sheet, in bytes of brotli. */
type PageFile = { readonly name: string; readonly bytes: number };

const kilobytes = (files: readonly PageFile[]): number => sum(files.map(({ bytes }) => bytes)) / 1_000;
const list = (files: readonly PageFile[]): string =>
  files.map((file) => `${file.name} ${kilobytes([file]).toFixed(1)} kB`).join(', ');

const toFile = async (response: Response): Promise<PageFile[]> => {
  const { stem, kind } = NAME.exec(new URL(response.url()).pathname)?.groups ?? {};
  if (stem === undefined || kind === undefined) return [];
  const { 'content-encoding': encoding, 'content-length': length } = await response.allHeaders();
  if (encoding !== 'br') throw new Error(`${response.url()} came without brotli.`);
  return [{ name: `${stem}.${kind}`, bytes: Number(length) }];
};

const inlineStyles = async (page: Page): Promise<readonly PageFile[]> =>
  (await page.locator('style').allTextContents()).map((text) => ({
    name: 'in the page.css',
    bytes: brotliCompressSync(text).length,
  }));

/** What a browser fetches for the first page, and what one lookup adds. */
const fetchedFiles = async (): Promise<{ first: readonly PageFile[]; later: readonly PageFile[] }> => {
  await using product = await startProduct();
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  // By address: the browser takes a file for several workers from its cache.
  const responses = new Map<string, Response>();
  page.on('response', (response) => responses.set(response.url(), response));
  const take = async (): Promise<PageFile[]> => {
    const taken = [...responses.values()];
    responses.clear();
    return (await Promise.all(taken.map(toFile))).flat();
  };
  await page.goto(`http://localhost:${product.port}/`, { waitUntil: 'networkidle' });
  const first = [...(await take()), ...(await inlineStyles(page))];
  await page.getByLabel('Discord ID').fill(PROFILE_ID);
  await page.keyboard.press('Enter');
  await page.getByRole('article').waitFor();
  return { first, later: await take() };
};

export const webWeight: Benchmark = {
  name: 'web',
  title: 'Weight of the pages in brotli bytes, as a browser fetches them',
  run: async () => {
    const { first, later } = await fetchedFiles();
    const js = kilobytes(first.filter(({ name }) => name.endsWith('.js')));
    const css = kilobytes(first.filter(({ name }) => name.endsWith('.css')));
    const altcha = later.filter(({ name }) => ALTCHA_FILE.test(name));
    const answer = later.filter((file) => !altcha.includes(file));
    const weight = (kB: number) => ({ samples: [kB], unit: 'kB', digits: 1 });
    return {
      method: [
        `First load of /: ${list(first)}.`,
        `On first focus of the form, altcha: ${list(altcha)}.`,
        `On first focus of the form, answer: ${list(answer)}.`,
      ],
      figures: [
        { what: 'JS of the first load', ...weight(js), aim: atMost(JS_AIM_KB) },
        { what: 'CSS of the first load', ...weight(css), aim: atMost(CSS_AIM_KB) },
        { what: 'altcha, lazy', ...weight(kilobytes(altcha)), aim: atMost(ALTCHA_AIM_KB) },
        { what: 'answer, lazy', ...weight(kilobytes(answer)) },
      ],
    };
  },
};
