// @module-tag slow
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from '#shared/languages.ts';
import { SITE } from '#test/support/site.ts';
import { LANGUAGE_PATHS } from './language-pages.ts';
import { loadWebBuild } from './web-build.ts';

const BRAND = 'Brand<script>x()</script>';
const build = loadWebBuild(join(import.meta.dirname, '../../../../dist'), { ...SITE, brandName: BRAND });
const rendered = await build.whenRendered((site) => site);

it('browsers keep for ever only files whose name changes with them', () => {
  for (const [path, { cacheControl }] of build.files) {
    const lasting = /^\/(?:assets|badges)\//.test(path);
    expect([path, cacheControl]).toEqual([
      path,
      lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    ]);
  }
});

it('a page is compressed for those who accept it', () => {
  const { identity, br, gzip } = rendered.pagesIn('en').linkPage;
  expect(brotliDecompressSync(br?.bytes ?? '').equals(identity.bytes)).toBe(true);
  expect(gunzipSync(gzip?.bytes ?? '').equals(identity.bytes)).toBe(true);
});

it('every page is there in every language with the name of this site, which is no code', () => {
  for (const language of LANGUAGE_CODES) {
    const { pages } = rendered.pagesIn(language);
    expect([...pages.keys()]).toEqual(LANGUAGE_PATHS);
    const html = pages.get('/help')?.identity.bytes.toString() ?? '';
    expect(/<html lang="(\S+)"/.exec(html)?.[1]?.toLowerCase()).toMatch(new RegExp(`^${language}`));
    expect([html.includes('Brand&lt;script&gt;'), html.includes(BRAND)]).toEqual([true, false]);
  }
  expect(JSON.stringify(build.inlineCode).includes('x()')).toBe(false);
});
