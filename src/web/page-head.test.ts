import { describe, expect, it } from 'vitest';
import { SITE } from '#test/support/site.ts';
import { renderHead } from './page-head.tsx';

const site = { ...SITE, brandName: 'Who "&" <flake>' };

describe('the head of a page', () => {
  it('has what a preview says between its markers, once', () => {
    const [before, between, after] = renderHead('/', site).split(/<!--\/?preview-->/);
    const names = [...(between ?? '').matchAll(/<\w+ (?:property|rel)="([^"]+)"/g)].map(([, name]) => name);
    expect(names).toEqual(['canonical', 'og:url', 'og:title', 'og:description']);
    expect(`${before}${after}`).not.toMatch(/og:title|og:description|og:url|canonical/);
  });

  it.each([
    ['the name that is on it', SITE, 'preview.png'],
    ['another name', site, 'preview-unnamed.png'],
  ])('names the picture of a preview by its full address: %s', (_, named, file) => {
    expect(renderHead('/', named)).toContain(
      `<meta property="og:image" content="https://flake.example/${file}"/>`,
    );
  });

  it('escapes the settings', () => {
    expect(renderHead('/', site)).toContain('<title>Who &quot;&amp;&quot; &lt;flake&gt;: Discord');
  });

  it('names the address of a page and keeps unknown ones out of indexes', () => {
    expect(renderHead('/donate', site)).toContain(
      '<link rel="canonical" href="https://flake.example/donate"/>',
    );
    expect(renderHead('/no/such', site)).not.toContain('canonical');
    expect(renderHead('/no/such', site)).toContain('<meta name="robots" content="noindex"/>');
  });

  it('does not ask for tokens on a site that takes none', () => {
    const head = renderHead('/token-donation', { ...site, tokenDonations: false });
    expect(head).not.toContain('How to donate');
    expect(head).toContain('doesn’t accept bot tokens');
  });
});
