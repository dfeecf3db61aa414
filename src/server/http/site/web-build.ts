import { accessSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import manifest from '#package.json' with { type: 'json' };
import type { Config } from '#server/config.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Random } from '#server/system.ts';
import { LANGUAGE_CODES, type Language } from '#shared/languages.ts';
import type { PageAssets, PageRenderer } from '#shared/page.ts';
import type { ContactPiece, Site } from '#shared/site.ts';
import { WASM_WORKER_POLICY, type InlineCode } from '../security-headers.ts';
import { createLanguagePages, type LanguagePages } from './language-pages.ts';
import { robotsText } from './site-files.ts';
import { createBuiltFile, FOREVER, NO_CACHE, type StaticFile } from './static-file.ts';

export type WebBuild = {
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly inlineCode: InlineCode;
  /** The pages are loaded when the first is asked for, as a start need not wait for them; from then on they are there. */
  readonly whenRendered: <T>(use: (site: RenderedSite) => T) => T | Promise<T>;
};

export type RenderedSite = { readonly pagesIn: (language: Language) => LanguagePages };

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
const DEVELOPER_PORTAL_URL = 'https://discord.com/developers/applications';
const DECOYS = ['.nospam', 'info', '@mail', 'x7', '.invalid', 'not', 'post@', 'q', '.org', 'web'];

/** Files that never change: assets have a hash in their name, and a redrawn badge gets a new name. */
const LASTING = /^\/(?:assets|badges)\//;

/** Searches for proofs. The pages themselves may not compile anything. */
const WASM_WORKER = /^\/assets\/sha256-worker-[^/]+\.js$/;

export const siteOf = (config: Config, sampleIds: Site['sampleIds'], random: Random): Site => ({
  brandName: config.brandName,
  platformName: config.platformName,
  publicUrl: config.publicUrl,
  developerPortalUrl: DEVELOPER_PORTAL_URL,
  contact: mixWithDecoys(config.contactEmail, random),
  paymentUrl: config.paymentUrl,
  vanityMinEur: config.vanityMinEur,
  tokenDonations: config.tokenDonations,
  relayPictures: config.pictures === 'relayed',
  captchaDialog: config.captcha.dialog,
  sandbox: config.platform.kind === 'sandbox',
  sampleIds,
  version: manifest.version,
  limits: config.visitorRates,
});

/** Short pieces, each followed by a decoy: an address harvester that strips tags reads nonsense. */
const mixWithDecoys = (address: string, random: Random): ContactPiece[] => {
  const pieces: ContactPiece[] = [];
  for (let start = 0; start < address.length;) {
    const length = 1 + random.integer(3);
    pieces.push({ text: address.slice(start, start + length), decoy: false });
    pieces.push({ text: DECOYS[random.integer(DECOYS.length)] as string, decoy: true });
    start += length;
  }
  return pieces;
};

const notBuilt = (distDir: string): OperatorError =>
  new OperatorError(
    EXIT.notInstalled,
    `The pages in ${distDir} are not built, are from another version, or cannot be read by this user`,
    `run npm ci && npx vite build && npx vite build --ssr in ${dirname(distDir)}.`,
  );

const NOT_THERE = new Set(['ENOENT', 'EACCES']);

export const loadWebBuild = (distDir: string, site: Site): WebBuild => {
  const webDir = join(distDir, 'web');
  const rendererPath = join(distDir, 'server', 'entry-render.js');
  let rendered: RenderedSite | undefined;
  try {
    accessSync(rendererPath);
    const assets = readAssets(webDir);
    return {
      files: new Map([...readFiles(webDir), ['/robots.txt', robotsText()]]),
      inlineCode: { script: assets.early, style: assets.styles },
      whenRendered: (use) =>
        rendered !== undefined
          ? use(rendered)
          : import(pathToFileURL(rendererPath).href).then((renderer: PageRenderer) =>
              use((rendered ??= renderSite(renderer, assets, site))),
            ),
    };
  } catch (error) {
    throw NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '') ? notBuilt(distDir) : error;
  }
};

type Chunk = { readonly file: string; readonly imports?: readonly string[] };

const readAssets = (webDir: string): PageAssets => {
  const manifest = JSON.parse(readFileSync(join(webDir, 'manifest.json'), 'utf8')) as Readonly<
    Record<string, Chunk>
  >;
  const chunkOf = (source: string): Chunk => {
    const chunk = manifest[source];
    if (chunk === undefined) throw new Error(`The build has no ${source}.`);
    return chunk;
  };
  const filesOf = (source: string): string[] => {
    const { file, imports = [] } = chunkOf(source);
    return [...new Set([`/${file}`, ...imports.flatMap(filesOf)])];
  };
  const codeOf = (source: string): string => readFileSync(join(webDir, chunkOf(source).file), 'utf8').trim();

  const frame = filesOf('entry-frame.ts');
  const client = filesOf('entry-client.tsx');
  const font = `/${chunkOf('ui/fonts/figtree-basic.woff2').file}`;
  const lookup = new Set(filesOf('routes/lookup-flow.tsx'));
  return {
    early: `{${codeOf('entry-early.ts')}}`,
    styles: codeOf('style.css'),
    font,
    frame,
    client,
    lookup: [...lookup.difference(new Set(client))],
  };
};

const renderSite = (renderer: PageRenderer, assets: PageAssets, site: Site): RenderedSite => {
  const pages = new Map(
    LANGUAGE_CODES.map((language) => [language, createLanguagePages({ renderer, assets, site, language })]),
  );
  return { pagesIn: (language) => pages.get(language) as LanguagePages };
};

const readFiles = (webDir: string): Map<string, StaticFile> => {
  const files = new Map<string, StaticFile>();
  const listing = readdirSync(webDir, { recursive: true, withFileTypes: true });
  const names = new Set(
    listing
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(webDir.length)),
  );
  for (const path of names) {
    const contentType = CONTENT_TYPES[extname(path)];
    if (contentType === undefined || path.includes('/.')) continue;
    const read = (suffix: string): Buffer => readFileSync(join(webDir, path) + suffix);
    const compressed = names.has(`${path}.br`) && { br: read('.br'), gzip: read('.gz') };
    const headers = {
      contentType,
      cacheControl: LASTING.test(path) ? FOREVER : NO_CACHE,
      ...(WASM_WORKER.test(path) && { policy: WASM_WORKER_POLICY }),
    };
    files.set(path, createBuiltFile({ identity: read(''), ...compressed }, headers));
  }
  return files;
};
