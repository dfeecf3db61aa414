import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGE_CODES } from '#shared/languages.ts';
import type { Site } from '#shared/site.ts';
import { LANGUAGE_PATHS } from './language-pages.ts';
import { SITE as ORDINARY } from '#test/support/site.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { loadWebBuild, type RenderedSite, type WebBuild } from './web-build.ts';

const FILES = {
  'web/favicon.ico': 'icon',
  'web/favicon.svg': '<svg/>',
  'web/assets/index-1a2b.js': '1;',
  'web/assets/index-1a2b.js.br': 'as brotli',
  'web/assets/index-1a2b.js.gz': 'as gzip',
  'web/assets/index-1a2b.js.map': '{}',
  'web/assets/sha256-worker-1a2b.js': '2;',
  'web/assets/index-1a2b.css': 'a{}',
  'web/badges/staff.svg': '<svg/>',
  'web/assets/early.js': 'early();',
  'web/assets/sw.js': 'work();',
  'web/assets/font.woff2': 'font',
  'web/manifest.json': JSON.stringify({
    'entry-early.ts': { file: 'assets/early.js' },
    'entry-frame.ts': { file: 'assets/frame.js', imports: ['_shared.js'] },
    'entry-client.tsx': { file: 'assets/index-1a2b.js', imports: ['_shared.js'] },
    '_shared.js': { file: 'assets/shared.js' },
    'style.css': { file: 'assets/index-1a2b.css' },
    'ui/fonts/figtree-basic.woff2': { file: 'assets/font.woff2' },
    'routes/offline.tsx': { file: 'assets/offline.js', imports: ['_shared.js'] },
    'routes/lookup-flow.tsx': { file: 'assets/flow.js', imports: ['_shared.js', '_card.js'] },
    '_card.js': { file: 'assets/card.js', imports: ['entry-client.tsx'] },
    'features/captcha/entry-proof.ts': { file: 'assets/proof.js', imports: ['_shared.js'] },
    'service-worker.js': { file: 'assets/sw.js' },
  }),
  'web/notes.md': 'notes',
  'web/LICENSE': 'licence',
  'server/entry-render.js': `
    export const renderPage = ({ path, language, site, textUrls, assets }) =>
      [language, site.brandName, path, textUrls.rest.replace(/-\\w+/, ''), JSON.stringify(assets)].join(' ');
    export const renderRest = (language) => JSON.stringify({ language });
    export const renderOffers = () => '{}';
    export const allTexts = () => '';
    export const describeSite = () => ({ purpose: '', search: '' });`,
};

const SITE: Site = { ...ORDINARY, brandName: 'Brand<script>x()</script>', publicUrl: 'https://example.org' };

const dist = temporaryFolder();
let build: WebBuild;
let rendered: RenderedSite;
beforeAll(async () => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(dist.path, path)), { recursive: true });
    writeFileSync(join(dist.path, path), text);
  }
  build = loadWebBuild(dist.path, SITE);
  rendered = await build.whenRendered((site) => site);
});
afterAll(() => dist[Symbol.dispose]());

describe('loadWebBuild', () => {
  it('serves files for browsers, and nothing hidden, unknown or of the sources', () => {
    const paths = [...build.files.keys(), ...rendered.files.keys()].toSorted();
    const texts = paths.filter((path) => path.startsWith('/texts/'));
    expect(paths).toEqual([
      '/assets/early.js',
      '/assets/font.woff2',
      '/assets/index-1a2b.css',
      '/assets/index-1a2b.js',
      '/assets/sha256-worker-1a2b.js',
      '/assets/sw.js',
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
    for (const [path, { cacheControl }] of [...build.files, ...rendered.files]) {
      const forever = /^\/(?:assets|badges|texts)\//.test(path)
        ? 'public, max-age=31536000, immutable'
        : 'no-cache';
      expect([path, cacheControl]).toEqual([path, forever]);
    }
  });

  it('gives a policy of its own to the worker that searches for proofs, and to nothing else', () => {
    const policies = [...build.files, ...rendered.pagesIn('en').pages].filter(
      ([, { policy }]) => policy !== undefined,
    );
    expect(policies.map(([path]) => path)).toEqual(['/assets/sha256-worker-1a2b.js']);
  });

  it('renders every page in each language with the settings of this site', () => {
    const { pages, notFoundPage } = rendered.pagesIn('de');
    expect([...pages.keys()]).toEqual(LANGUAGE_PATHS);
    const help = pages.get('/help');
    const [language, brand, path, texts, assets = ''] = help?.identity.bytes.toString().split(' ') ?? [];
    expect([language, brand, path, texts]).toEqual(['de', SITE.brandName, '/help', '/texts/de.json']);
    expect(JSON.parse(assets)).toMatchObject({
      early: '{early();}',
      styles: 'a{}',
      font: '/assets/font.woff2',
      frame: ['/assets/frame.js', '/assets/shared.js'],
      client: ['/assets/index-1a2b.js', '/assets/shared.js'],
      proof: ['/assets/proof.js', '/assets/shared.js'],
      lookup: ['/assets/flow.js', '/assets/card.js'],
    });
    expect([help?.contentType, help?.cacheControl]).toEqual(['text/html; charset=utf-8', 'no-cache']);
    expect(notFoundPage.identity.bytes.toString()).toContain('/404');
  });

  it('allows the code that the build put into the pages, not what came with a setting', () => {
    expect(build.inlineCode).toEqual({ script: '{early();}', style: 'a{}' });
  });

  it('lets the service worker keep what the offline page loads', () => {
    const worker = rendered.files.get('/service-worker.js')?.identity.bytes.toString() ?? '';
    const { files } = JSON.parse(/=(\{.*\});work/.exec(worker)?.[1] ?? '{}') as { files: string[] };
    expect(files).toEqual(
      ['font.woff2', 'frame.js', 'shared.js', 'index-1a2b.js', 'offline.js'].map((name) => `/assets/${name}`),
    );
  });
});
