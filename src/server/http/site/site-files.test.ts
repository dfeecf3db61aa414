import { expect, it } from 'vitest';
import type { Site } from '#shared/site.ts';
import type { Language } from '#shared/languages.ts';
import { robotsText, siteFiles } from './site-files.ts';

const site = {
  brandName: 'Fish & <Chips>',
  platformName: 'Discord',
  publicUrl: 'https://lookup.example',
} as Site;
const describeSite = () => ({ purpose: 'Looks & finds', search: 'Fish & find' });
const text = (path: string, language: Language = 'en') =>
  siteFiles({ describeSite }, site, language).get(path)?.identity.bytes.toString() ?? '';

it('shared results are kept out of indexes', () => {
  expect(robotsText().identity.bytes.toString()).toMatch(/^User-agent: \*\nDisallow: \/\*\?id=\n/);
});

it('the search is described with the site’s own name and address, escaped', () => {
  const xml = text('/opensearch.xml');
  expect(xml).toContain('<ShortName>Fish &amp; &lt;Chips&gt;</ShortName>');
  expect(xml).toContain('<Description>Fish &amp; find</Description>');
  expect(xml).toContain('template="https://lookup.example/?id={searchTerms}"');
  expect(text('/opensearch.xml', 'de')).toContain('template="https://lookup.example/de?id={searchTerms}"');
});
