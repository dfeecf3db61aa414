import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGE_CODES } from '#shared/languages.ts';
import type { Site } from '#shared/site.ts';
import { loadWebBuild, type WebBuild } from './web-build.ts';

const FILES = {
  'web/index.html': '<html lang="en"><head><style>a{}</style><!--head--></head><body><!--app--></body>',
  'web/favicon.ico': 'icon',
  'web/favicon.svg': '<svg/>',
  'web/service-worker.js': 'const files=[];',
  'web/assets/index-1a2b.js': '1;',
  'web/assets/index-1a2b.js.br': 'as brotli',
  'web/assets/index-1a2b.js.gz': 'as gzip',
  'web/assets/index-1a2b.js.map': '{}',
  'web/assets/sha256-worker-1a2b.js': '2;',
  'web/assets/index-1a2b.css': 'a{}',
  'web/badges/staff.svg': '<svg/>',
  'web/.vite/manifest.json': '{}',
  'web/notes.md': 'notes',
  'web/LICENSE': 'licence',
  // The `$&` would repeat the placeholder if it were taken for a replacement pattern.
  'server/entry-render.js': `
    export const paths = ['/', '/about'];
    export const renderPage = ({ path, language, site, textUrls }) => ({
      attributes: 'lang="' + language + '"',
      head: site.brandName + " $& $'",
      body: path + ' ' + textUrls.rest.replace(/-\\w+/, ''),
    });
    export const renderRest = (language) => JSON.stringify({ language });
    export const renderOffers = () => '{}';
    export const describeSite = () => ({ purpose: '', search: '' });`,
};

const SITE: Site = {
  brandName: 'Brand<script>x()</script>',
  platformName: 'Discord',
  publicUrl: 'https://example.org',
  contact: [],
  developerPortalUrl: 'https://example.org/bots',
  paymentUrl: 'https://example.org/donate',
  vanityMinEur: 18,
  tokenDonations: true,
  relayPictures: false,
  captchaDialog: 'auto',
  offlinePage: true,
  sandbox: true,
  sampleIds: [],
};

let distDir: string;
let build: WebBuild;
beforeAll(async () => {
  distDir = mkdtempSync(join(tmpdir(), 'whoflake-web-build-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(distDir, path)), { recursive: true });
    writeFileSync(join(distDir, path), text);
  }
  build = await loadWebBuild(distDir, SITE);
});
afterAll(() => rmSync(distDir, { recursive: true }));

describe('loadWebBuild', () => {
  it('serves files for browsers, and nothing hidden, unknown or of the sources', () => {
    const texts = [...build.files.keys()].filter((path) => path.startsWith('/texts/')).toSorted();
    expect([...build.files.keys()].toSorted()).toEqual([
      '/assets/index-1a2b.css',
      '/assets/index-1a2b.js',
      '/assets/sha256-worker-1a2b.js',
      '/badges/staff.svg',
      '/favicon.ico',
      '/favicon.svg',
      '/robots.txt',
      '/service-worker.js',
      ...texts,
    ]);
    expect(texts.map((path) => path.replace(/-\w{12}(?=\.json$)/, ''))).toEqual(
      ['offers', ...LANGUAGE_CODES].map((name) => `/texts/${name}.json`).toSorted(),
    );
  });

  it('serves what the build has compressed', () => {
    const script = build.files.get('/assets/index-1a2b.js');
    expect([script?.br?.bytes.toString(), script?.gzip?.bytes.toString()]).toEqual(['as brotli', 'as gzip']);
    expect(build.files.get('/favicon.svg')?.br).toBeUndefined();
  });

  it('lets browsers keep only files that never change for ever', () => {
    for (const [path, { cacheControl }] of build.files) {
      const forever = /^\/(?:assets|badges|texts)\//.test(path)
        ? 'public, max-age=31536000, immutable'
        : 'no-cache';
      expect([path, cacheControl]).toEqual([path, forever]);
    }
  });

  it('gives a policy of its own to the worker that searches for proofs, and to nothing else', () => {
    const policies = [...build.files, ...build.pagesIn('en').pages].filter(
      ([, { policy }]) => policy !== undefined,
    );
    expect(policies.map(([path]) => path)).toEqual(['/assets/sha256-worker-1a2b.js']);
  });

  it('renders every page in each language with the settings of this site', () => {
    const { pages, notFoundPage } = build.pagesIn('de');
    expect([...pages.keys()]).toEqual([
      '/',
      '/about',
      '/site.webmanifest',
      '/opensearch.xml',
      '/offline.html',
    ]);
    const about = pages.get('/about');
    expect(about?.identity.bytes.toString()).toBe(
      '<html lang="de"><head><style>a{}</style>Brand<script>x()</script> $& $\'</head><body>/about /texts/de.json</body>',
    );
    expect([about?.contentType, about?.cacheControl]).toEqual(['text/html; charset=utf-8', 'no-cache']);
    expect(notFoundPage.identity.bytes.toString()).toContain('/404');
  });

  it('allows the code that the build put into the pages, not what came with a setting', () => {
    expect(build.inlineCode).toEqual({ scripts: [], styles: [expect.stringMatching(/^'sha256-/)] });
  });
});
