import { describe, expect, it } from 'vitest';
import type { Language } from '#shared/languages.ts';
import type { Site } from '#shared/site.ts';
import { ASSETS, SITE } from '#test/support/site.ts';
import { renderHead } from './page-head.tsx';

const site = { ...SITE, brandName: 'Who "&" <flake>' };

const headOf = (path: string, named: Site = site, language: Language = 'en'): string =>
  renderHead({ path, language, site: named, textUrls: { rest: '', offers: '' }, assets: ASSETS });

describe('the head of a page', () => {
  it('says what a preview needs once', () => {
    for (const name of ['canonical', 'og:url', 'og:title', 'og:description'])
      expect(headOf('/').split(`="${name}"`)).toHaveLength(2);
  });

  it('begins with what the first paint needs', () => {
    expect(headOf('/')).toMatch(
      /^<meta charset="utf-8"><meta name="viewport"[^>]*>.*<script>early\(\)<\/script><style>a\{\}<\/style>/,
    );
  });

  it.each([
    ['the name that is on it', SITE, 'preview.png'],
    ['another name', site, 'preview-unnamed.png'],
  ])('names the picture of a preview by its full address: %s', (_, named, file) => {
    expect(headOf('/', named)).toContain(
      `<meta property="og:image" content="https://flake.example/${file}"/>`,
    );
  });

  it('escapes the settings', () => {
    expect(headOf('/')).toContain('<title>Who &quot;&amp;&quot; &lt;flake&gt;: Discord');
  });

  it('names the address of a page and keeps unknown ones out of indexes', () => {
    expect(headOf('/donate')).toContain('<link rel="canonical" href="https://flake.example/donate"/>');
    expect(headOf('/no/such')).not.toContain('canonical');
    expect(headOf('/no/such')).toContain('<meta name="robots" content="noindex"/>');
  });

  it('names its language, and a page that does not exist names itself in no other', () => {
    expect(headOf('/donate', SITE, 'pt-br')).toContain('<meta property="og:locale" content="pt_BR"/>');
    expect(headOf('/no/such')).not.toContain('"alternate"');
  });

  it('does not ask for tokens on a site that takes none', () => {
    const head = headOf('/token-donation', { ...site, tokenDonations: false });
    expect(head).not.toContain('How to donate');
    expect(head).toContain('doesn’t accept bot tokens');
  });
});
