import { describe, expect, it } from 'vitest';
import type { Language } from '#shared/languages.ts';
import { PAGE_PATHS } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { ASSETS, SITE_WITH_STATUS as site } from '#test/support/site.ts';
import { renderPage } from './entry-render.tsx';

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&#x27;': "'",
  '&quot;': '"',
  '&lt;': '<',
};

/** What a reader sees of the markup. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<(?:noscript|script)[^]*?<\/(?:noscript|script)>/g, '')
    .replaceAll(/<\/(?:h\d|p|li|dt|dd|button|div)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity);

const pageOf = (path: string, settings: Partial<Site> = {}, language: Language = 'en'): string =>
  renderPage({
    path,
    language,
    site: { ...site, ...settings },
    textUrls: { rest: '/rest', offers: '/offers' },
    assets: ASSETS,
  });

const bodyOf = (path: string, settings: Partial<Site> = {}): string =>
  /<body>[^]*/.exec(pageOf(path, settings))?.[0] ?? '';

const partOf = (html: string, tag: string): string =>
  new RegExp(`<${tag}[ >][^]*?</${tag}>`).exec(html)?.[0] ?? '';

/** The links of a part of the page, as text and address. */
const linksIn = (html: string, tag: string): Record<string, string> => {
  const links = [...partOf(html, tag).matchAll(/<a [^>]*?href="([^"]*)"[^>]*>([^]*?)<\/a>/g)];
  return Object.fromEntries(links.map(([, href = '', content = '']) => [textOf(content), href]));
};

const PATHS = [...PAGE_PATHS, '/no/such/page'];

describe('every page', () => {
  it.each(PATHS)(
    '§14–16, 18–23 has the main pages in its header and the disclaimer in its footer: %s',
    (path) => {
      const body = bodyOf(path);
      expect(body.match(/<h1/g)).toHaveLength(1);
      expect(textOf(partOf(body, 'header'))).toContain('WhoflakeUnofficial Lookup');
      expect(linksIn(body, 'nav')).toEqual({
        Lookup: '/',
        'Token Donation': '/token-donation',
        'Support us': '/donate',
      });
      expect(textOf(partOf(body, 'footer'))).toContain(
        'not affiliated with, endorsed by or sponsored by Discord',
      );
      expect(linksIn(body, 'footer')).toMatchObject({
        'Support us': '/donate',
        'Contact us': '/contact',
        Help: '/help',
        Privacy: '/privacy',
      });
    },
  );

  it.each(PATHS)('asks for no token where none are taken: %s', (path) => {
    const [head = '', body = ''] = pageOf(path, { tokenDonations: false }).split('</head>');
    if (path !== '/token-donation') {
      expect(textOf(body)).not.toMatch(/donate(?:d|s)? (?:a )?(?:bot )?token|token donation/i);
      expect(body).not.toMatch(/<a [^>]*href="[^"]*token/);
    }
    expect(textOf(head)).not.toMatch(/donate[^"]*token/i);
  });
});

/** The page, and what it must say, in order. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  '/': [
    'Look up a Discord profile',
    'Discord ID',
    'Lookup',
    'Donate a bot token',
    'How token donations work',
    'runs on donations',
    'donated bot tokens',
    'Support us',
  ],
  '/token-donation': [
    'Token Donation',
    'the token of a bot that you create just for this',
    'it could act against the account that owns the application',
    'Step 1',
    'Create a new application in Discord’s developer portal, open the Bot tab, reset the token and copy it.',
    'Step 2',
    'Return to the lookup page and submit it via the Token Donation modal',
    'Why this matters',
    'keep getting shut down',
    'Token usage & trust',
    'Tokens are only used to fetch user info via the official API.',
    'No servers are joined',
    'The token can be revoked at any time',
    'Withdraw your token',
  ],
  '/donate': [
    'Support us',
    'Donate now',
    'Donate 18\u00A0EUR or more',
    'flake.example/yourname',
    'redirects to your server’s invite',
    'After you donate',
    'send us an email',
    'Copy address',
    'Send an email',
  ],
  '/contact': ['Contact us', 'Copy address'],
  '/privacy': [
    'When you look someone up',
    'We write nothing down: not the ID, not the result, not your IP address.',
    'Images load from Discord’s servers, which see your IP address.',
    'What stays in your browser',
    'The theme you chose, if you switched it. It never leaves your browser.',
    'The list never leaves your browser, and one click deletes it.',
    'It is the same for everyone and holds nothing about you or your lookups.',
    'Like every page you visit, it then stays in your browser’s history until you clear it.',
    'What we keep',
    'Opting out',
  ],
  '/help': [
    'Why is there no bio, status or Nitro badge?',
    'so no lookup tool can show them.',
    'Will they know I looked them up?',
    'No. A lookup sends no notification',
    'Whose ID is this?',
    'How do I find an ID?',
    'On a computer or in a browser',
    'On a phone or tablet',
    'What happens to deleted accounts?',
    'How do I opt out?',
    'We’ll ask you to show that the account is yours.',
    'Accessibility',
  ],
  '/no/such/page': ['Page not found', 'Back to Lookup'],
};

describe('the texts of the pages', () => {
  it.each(Object.entries(SENTENCES))(
    '§4–5, 8, 10–11, 13, 51, 53–60 are there, in order: %s',
    (path, sentences) => {
      let rest = textOf(partOf(bodyOf(path), 'main'));
      for (const sentence of sentences) {
        expect(rest).toContain(sentence);
        rest = rest.slice(rest.indexOf(sentence));
      }
    },
  );

  it.each([
    ['/donate', 'href="https://pay.example/"', 'rel="noreferrer"'],
    ['/token-donation', 'href="https://bots.example/"', 'rel="noreferrer"'],
  ])('§52, 63 lead to other sites in a tab of their own: %s', (path, href, rel) => {
    const [link] = new RegExp(`<a [^>]*${href}[^>]*>`).exec(bodyOf(path)) ?? [];
    expect(link).toContain('target="_blank"');
    expect(link).toContain(rel);
  });

  it.each([
    ['/', { 'How token donations work': '/token-donation', 'Support us': '/donate' }],
    ['/donate', { 'Donate now': 'https://pay.example/', 'send us an email': '/contact' }],
    ['/donate', { 'how token donations work': '/token-donation' }],
    ['/privacy', { 'email us': '/contact' }],
    ['/help', { 'Email us': '/contact', 'privacy page': '/privacy', 'lookup page': '/' }],
    ['/no/such/page', { 'Back to Lookup': '/' }],
  ])('§61–62 lead on from %s to %j', (path, links) =>
    expect(linksIn(bodyOf(path), 'main')).toMatchObject(links),
  );

  it.each(['/help#missing', '/help#whose', '/token-donation#risks', '/token-donation#storage'])(
    'have the part that links elsewhere lead to: %s',
    (address) => {
      const [path = '', id] = address.split('#');
      expect(bodyOf(path)).toContain(`<section id="${id}"`);
    },
  );

  it('§32–36 the field for an ID is required, for digits, and shows how long an ID is', () => {
    const [, id, field] =
      /<label for="([^"]*)"[^>]*>Discord ID<\/label>[^]*?(<input[^>]*>)/.exec(bodyOf('/')) ?? [];
    const placeholder = `placeholder="${'0'.repeat(18)}"`;
    for (const attribute of [`id="${id}"`, 'type="text"', 'inputMode="numeric"', 'required=""', placeholder])
      expect(field).toContain(attribute);
    expect(bodyOf('/')).toMatch(/<button type="submit"[^>]*>Lookup<\/button>/);
  });

  it('say that no tokens are taken, and that those lent earlier can be withdrawn', () => {
    const text = textOf(bodyOf('/token-donation', { tokenDonations: false }));
    expect(text).toContain('don’t accept bot tokens');
    expect(text).toContain('you can still withdraw it');
    expect(text).toContain('Back to Lookup');
  });

  it.each([
    ['operator', 'The people who run this site have paused it.'],
    ['invite-changed', 'Its invite now points to a different server, so we’ve stopped redirecting.'],
    ['invite-gone', 'Its invite has expired or been deleted.'],
  ] as const)('say which link is paused and why: %s', (because, sentence) => {
    const [head, body = ''] = pageOf('/lounge', { pausedLink: { name: 'lounge', because } }).split('</head>');
    expect(head).toContain('<title>Link paused');
    expect(textOf(body)).toContain('This link is paused');
    expect(textOf(body)).toContain('\u2068flake.example/lounge\u2069 isn’t active right now.');
    expect(textOf(body)).toContain(sentence);
  });
});
