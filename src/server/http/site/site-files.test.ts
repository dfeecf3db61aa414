import { describe, expect, it } from 'vitest';
import type { Site } from '#shared/site.ts';
import { siteFiles } from './site-files.ts';

const site = {
  brandName: 'Fish & <Chips>',
  platformName: 'Discord',
  publicUrl: 'https://lookup.example',
} as Site;
const text = (path: string) => siteFiles(site).get(path)?.identity.bytes.toString() ?? '';

describe('siteFiles', () => {
  it('keeps shared results out of indexes', () => {
    expect(text('/robots.txt')).toMatch(/^User-agent: \*\nDisallow: \/\*\?id=\n/);
  });

  it('describes the search with the site’s own name and address, escaped', () => {
    const xml = text('/opensearch.xml');
    expect(xml).toContain('<ShortName>Fish &amp; &lt;Chips&gt;</ShortName>');
    expect(xml).toContain('template="https://lookup.example/?id={searchTerms}"');
  });

  it('names the site in its manifest, which takes what others share, in the colour of the icon', () => {
    const manifest = JSON.parse(text('/site.webmanifest'));
    expect(manifest).toMatchObject({
      name: 'Fish & <Chips>',
      start_url: '/',
      share_target: { action: '/', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
    });
    expect(manifest.background_color).toBe(manifest.theme_color);
  });
});
