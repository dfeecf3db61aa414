import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { sum } from '#test/suites/load/figures.ts';
import { atMost, type Benchmark } from './benchmark.ts';
import { launchBrowser, PROFILE_ID, startProduct } from './server.ts';

const JS_AIM = 1.15;
const CSS_AIM_KB = 6;
const ALTCHA_AIM_KB = 22;
/** The widget with all that it imports, its styles and its worker; the rest of what a lookup fetches shows the answer. */
const ALTCHA_FILE = /^(?:altcha|captcha|sha256)/;
const NAME = /\/(?<stem>[\w-]+?)(?:-[\w-]{8})?\.(?<kind>js|css)$/;

const BARE_PAGE = '<div id="root"><h1>Hello</h1></div><script type="module" src="/entry.jsx"></script>';
const BARE_ENTRY = `import { hydrateRoot } from 'react-dom/client';
hydrateRoot(document.getElementById('root'), <h1>Hello</h1>);
`;

/** A script or style sheet, in bytes of brotli. */
type PageFile = { readonly name: string; readonly bytes: number };

const kilobytes = (files: readonly PageFile[]): number => sum(files.map(({ bytes }) => bytes)) / 1_000;
const list = (files: readonly PageFile[]): string =>
  files.map((file) => `${file.name} ${kilobytes([file]).toFixed(1)} kB`).join(', ');
const brotli = (name: string, content: string | Buffer): PageFile => ({
  name,
  bytes: brotliCompressSync(content).length,
});

/** The scripts of a page that has React and nothing else, built as ours is. */
const buildBarePage = async (): Promise<readonly PageFile[]> => {
  using folder = temporaryFolder();
  const at = (path: string): string => join(folder.path, path);
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), at('node_modules'));
  writeFileSync(at('index.html'), BARE_PAGE);
  writeFileSync(at('entry.jsx'), BARE_ENTRY);
  await build({
    configFile: false,
    logLevel: 'warn',
    root: folder.path,
    plugins: [react()],
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: { modulePreload: { polyfill: false } },
  });
  return readdirSync(at('dist/assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => brotli(name, readFileSync(at(`dist/assets/${name}`))));
};

const toFile = async (response: Response): Promise<PageFile[]> => {
  const { stem, kind } = NAME.exec(new URL(response.url()).pathname)?.groups ?? {};
  if (stem === undefined || kind === undefined) return [];
  const { 'content-encoding': encoding, 'content-length': length } = await response.allHeaders();
  if (encoding !== 'br') throw new Error(`${response.url()} came without brotli.`);
  return [{ name: `${stem}.${kind}`, bytes: Number(length) }];
};

const inlineStyles = async (page: Page): Promise<readonly PageFile[]> =>
  (await page.locator('style').allTextContents()).map((text) => brotli('in the page.css', text));

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
    const bare = kilobytes(await buildBarePage());
    const { first, later } = await fetchedFiles();
    const js = kilobytes(first.filter(({ name }) => name.endsWith('.js')));
    const css = kilobytes(first.filter(({ name }) => name.endsWith('.css')));
    const altcha = later.filter(({ name }) => ALTCHA_FILE.test(name));
    const answer = later.filter((file) => !altcha.includes(file));
    const weight = (kB: number) => ({ samples: [kB], unit: 'kB', digits: 1 });
    return {
      method: [
        'The floor is a page with React and one heading, built in this run in the same way.',
        `First load of /: ${list(first)}.`,
        `On first focus of the form, altcha: ${list(altcha)}.`,
        `On first focus of the form, answer: ${list(answer)}.`,
      ],
      figures: [
        { what: 'JS of the first load / bare React', samples: [js / bare], digits: 2, aim: atMost(JS_AIM) },
        { what: '  JS, product', ...weight(js) },
        { what: '  JS, bare React', ...weight(bare) },
        { what: 'CSS of the first load', ...weight(css), aim: atMost(CSS_AIM_KB) },
        { what: 'altcha, lazy', ...weight(kilobytes(altcha)), aim: atMost(ALTCHA_AIM_KB) },
        { what: 'answer, lazy', ...weight(kilobytes(answer)) },
      ],
    };
  },
};
