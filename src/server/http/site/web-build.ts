import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '#server/config.ts';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Random } from '#server/system.ts';
import type { Status } from '#shared/contract/status.ts';
import type { PageRenderer } from '#shared/page.ts';
import { STATUS_PATH } from '#shared/paths.ts';
import type { ContactPiece, PausedLink, Site } from '#shared/site.ts';
import { inlineCodeOf, WASM_WORKER_POLICY, type InlineCode } from '../security-headers.ts';
import { offlineFiles } from './offline-files.ts';
import { siteFiles } from './site-files.ts';
import { createBuiltFile, createStaticFile, NO_CACHE, type StaticFile } from './static-file.ts';

/** Everything the public listener serves from memory: pages rendered with this site's settings, and their files. */
export type WebBuild = {
  readonly files: ReadonlyMap<string, StaticFile>;
  /** All but /status. */
  readonly pages: ReadonlyMap<string, StaticFile>;
  /** The lookup page with room for an answer. */
  readonly linkPage: StaticFile;
  readonly notFoundPage: StaticFile;
  readonly statusPage: (status: Status) => StaticFile;
  readonly pausedLinkPage: (link: PausedLink) => StaticFile;
  readonly inlineCode: InlineCode;
};

const HTML = 'text/html; charset=utf-8';
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': HTML,
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
const DECOYS = ['.nospam', 'info', '@mail', 'x7', '.invalid', 'not', 'post@', 'q', '.org', 'web'];

/** Files that never change: names in the first carry a hash, and a badge that is drawn again gets another name. */
const LASTING = /^\/(?:assets|badges)\//;
const FOREVER = 'public, max-age=31536000, immutable';

/** Searches for proofs. The pages themselves may not compile anything. */
const WASM_WORKER = /^\/assets\/sha256-worker-[^/]+\.js$/;

/** The public part of the configuration. */
export const siteOf = (config: Config, sampleIds: Site['sampleIds'], random: Random): Site => ({
  brandName: config.brandName,
  platformName: config.platformName,
  publicUrl: config.publicUrl,
  developerPortalUrl: config.developerPortalUrl,
  contact: mixWithDecoys(config.contactEmail, random),
  paymentUrl: config.paymentUrl,
  vanityMinEur: config.vanityMinEur,
  tokenDonations: config.tokenDonations,
  relayPictures: config.pictures === 'relayed',
  offlinePage: config.offlinePage,
  sandbox: config.platform.kind === 'sandbox',
  sampleIds,
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

const NOT_THERE = new Set(['ENOENT', 'EACCES', 'ERR_MODULE_NOT_FOUND']);

export const loadWebBuild = async (distDir: string, site: Site): Promise<WebBuild> => {
  try {
    return await load(distDir, site);
  } catch (error) {
    throw NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '') ? notBuilt(distDir) : error;
  }
};

const load = async (distDir: string, site: Site): Promise<WebBuild> => {
  const webDir = join(distDir, 'web');
  const rendererUrl = pathToFileURL(join(distDir, 'server', 'entry-render.js')).href;
  const renderer = (await import(rendererUrl)) as PageRenderer;
  const template = readFileSync(join(webDir, 'index.html'), 'utf8');

  const render = (path: string, shown: Site): Buffer => {
    const { head, body } = renderer.renderPage(path, shown);
    // Functions, because a string would have its `$` patterns replaced.
    return Buffer.from(template.replace('<!--head-->', () => head).replace('<!--app-->', () => body));
  };
  /** One for each link that was ever paused, which are few. */
  const pausedPages = new Map<string, StaticFile>();
  const page = (path: string, shown = site): StaticFile => createStaticFile(() => render(path, shown), HTML);

  return {
    files: new Map([
      ...readFiles(webDir),
      ...siteFiles(site),
      ...offlineFiles({
        // Without the contact address, whose decoys would make it a new page at every start.
        renderPage: () => render('/', { ...site, offline: true, contact: [] }),
        worker: readFileSync(join(webDir, 'service-worker.js'), 'utf8'),
        wanted: site.offlinePage,
      }),
    ]),
    pages: new Map(renderer.paths.filter((path) => path !== STATUS_PATH).map((path) => [path, page(path)])),
    linkPage: page('/', { ...site, linked: true }),
    notFoundPage: page('/404'),
    statusPage: (status) => createStaticFile(() => render(STATUS_PATH, { ...site, status }), HTML, 'brief'),
    pausedLinkPage: (pausedLink) => {
      const key = `${pausedLink.name} ${pausedLink.because}`;
      const file = pausedPages.get(key) ?? page(`/${pausedLink.name}`, { ...site, pausedLink });
      pausedPages.set(key, file);
      return file;
    },
    inlineCode: inlineCodeOf(template),
  };
};

/** The build puts a compressed copy next to each file. */
const readFiles = (webDir: string): Map<string, StaticFile> => {
  const files = new Map<string, StaticFile>();
  const listing = readdirSync(webDir, { recursive: true, encoding: 'utf8' });
  const names = new Set(listing.map((name) => `/${name.replaceAll('\\', '/')}`));
  for (const path of names) {
    const contentType = CONTENT_TYPES[extname(path)];
    if (contentType === undefined || path === '/index.html' || path.includes('/.')) continue;
    const read = (suffix: string): Buffer => readFileSync(join(webDir, path) + suffix);
    const compressed = names.has(`${path}.br`) && { br: read('.br'), gzip: read('.gz') };
    const terms = {
      contentType,
      cacheControl: LASTING.test(path) ? FOREVER : NO_CACHE,
      ...(WASM_WORKER.test(path) && { policy: WASM_WORKER_POLICY }),
    };
    files.set(path, createBuiltFile({ identity: read(''), ...compressed }, terms));
  }
  return files;
};
