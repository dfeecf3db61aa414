import { expect, it } from 'vitest';
import { LANGUAGE_CODES, localPath, type Language } from '#shared/languages.ts';
import { PAGE_PATHS } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { ASSETS, SITE_WITH_STATUS as site } from '#test/support/site.ts';
import { renderPage } from './entry-render.tsx';
import type { CarriedData } from './texts/carried-data.ts';

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
    assets: ASSETS,
  });

const partsOf = (...wanted: Parameters<typeof pageOf>) => {
  const [head = '', body = ''] = pageOf(...wanted).split(/<\/head>|<div id="whole"/);
  return { head, body };
};

const bodyOf = (...wanted: Parameters<typeof pageOf>): string => partsOf(...wanted).body;

const carriedBy = (...wanted: Parameters<typeof pageOf>): CarriedData =>
  JSON.parse(/id="data">([^<]*)</.exec(pageOf(...wanted))?.[1] ?? '') as CarriedData;

const partOf = (html: string, tag: string): string =>
  new RegExp(`<${tag}[ >][^]*?</${tag}>`).exec(html)?.[0] ?? '';

/** The links of a part of the page, as text and address. */
const linksIn = (html: string, tag: string): Record<string, string> => {
  const links = [...partOf(html, tag).matchAll(/<a [^>]*?href="([^"]*)"[^>]*>([^]*?)<\/a>/g)];
  return Object.fromEntries(links.map(([, href = '', content = '']) => [textOf(content), href]));
};

const PATHS = [...PAGE_PATHS, '/no/such/page'];

it.each(PATHS)(
  '§14–16, 18–23 a page has the main pages in its header and the disclaimer in its footer: %s',
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

it.each(PATHS)('a page asks for no token where none are taken: %s', (path) => {
  const { head, body } = partsOf(path, { tokenDonations: false });
  if (path !== '/token-donation') {
    expect(textOf(body)).not.toMatch(/donate(?:d|s)? (?:a )?(?:bot )?token|token donation/i);
    expect(body).not.toMatch(/<a [^>]*href="[^"]*token/);
  }
  expect(textOf(head)).not.toMatch(/donate[^"]*token/i);
});

it.each(PATHS)('a page has nothing left to fill in, and leads on in its own language: %s', (path) => {
  for (const language of ['en', 'pt-br'] as const) {
    const { head, body } = partsOf(path, { sandbox: true }, language);
    // But for an address of the platform, and what is code.
    const page = (head + body).replaceAll(/\/users\/\{id\}|<(pre|script|style).*?<\/\1>/gs, '');
    expect(page).not.toMatch(/\{\w+\}/);
    const hrefs = Object.values({ ...linksIn(body, 'header'), ...linksIn(body, 'main') });
    const pages = hrefs.flatMap((href) => /^\/[^#.]*(?=#|$)/.exec(href) ?? []);
    expect(pages).not.toEqual([]);
    expect(PAGE_PATHS.map((page) => localPath(page, language))).toEqual(expect.arrayContaining(pages));
  }
});

/** The page, and what it must say, in order. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  '/token-donation': [
    'the token of a bot that you create just for this',
    'Step 1',
    'Create a new application in Discord’s developer portal, open the Bot tab, reset the token and copy it.',
    'Step 2',
    'Return to the lookup page and submit it via the Token Donation modal',
    'may shut down the application and act against its owner',
    'it could act against the account that owns the application',
    'Why this matters',
    'keep getting shut down',
    'Token usage & trust',
    'Tokens are only used to fetch user info via the official API.',
    'No servers are joined',
    'The token can be revoked at any time',
    'Withdraw your token',
  ],
  '/donate': [
    'Donate 18\u00A0EUR or more',
    'flake.example/yourname',
    'redirects to your server’s invite',
    'After you donate',
    'send us an email',
    'Copy address',
  ],
  '/contact': ['Contact us', 'Copy address'],
  '/privacy': [
    'We write nothing down: not the ID, not the result, not your IP address.',
    'Images load from Discord’s servers, which see your IP address.',
    'The list never leaves your browser, and one click deletes it.',
    'We’ll ask you to show that the account is yours.',
  ],
  '/help': ['A lookup sends no notification', 'The privacy page says what happens then.'],
  '/no/such/page': ['Page not found', 'Back to Lookup'],
};

it.each(Object.entries(SENTENCES))(
  '§4–5, 8, 10–11, 13, 51, 53–60 a page says what it has to say, in order: %s',
  (path, sentences) => {
    let rest = textOf(partOf(bodyOf(path), 'main'));
    for (const sentence of sentences) {
      expect(rest).toContain(sentence);
      rest = rest.slice(rest.indexOf(sentence));
    }
  },
);

it.each([
  ['/donate', 'https://pay.example/'],
  ['/token-donation', 'https://bots.example/'],
])('§52, 63 the page %s opens %s in a tab of its own', (path, href) => {
  const [link] = new RegExp(`<a [^>]*href="${href}"[^>]*>`).exec(bodyOf(path)) ?? [];
  expect(link).toMatch(/target="_blank" rel="noreferrer"/);
});

it.each([
  ['/donate', { 'Donate now': 'https://pay.example/' }],
  ['/help', { 'Email us': '/contact', 'privacy page': '/privacy', 'lookup page': '/' }],
])('§61–62 the page %s leads on to %j', (path, links) => {
  expect(linksIn(bodyOf(path), 'main')).toMatchObject(links);
});

it('the parts of pages that links elsewhere lead to are there', () => {
  for (const id of ['missing', 'whose']) expect(bodyOf('/help')).toContain(`<section id="${id}"`);
  for (const id of ['risks', 'storage']) expect(bodyOf('/token-donation')).toContain(`<section id="${id}"`);
});

it('§32–36 the field for an ID is required, for digits, and shows how long an ID is', () => {
  const [, id, field] =
    /<label for="([^"]*)"[^>]*>Discord ID<\/label>[^]*?(<input[^>]*>)/.exec(bodyOf('/')) ?? [];
  const placeholder = `placeholder="${'0'.repeat(18)}"`;
  for (const attribute of [`id="${id}"`, 'type="text"', 'inputMode="numeric"', 'required=""', placeholder])
    expect(field).toContain(attribute);
  expect(bodyOf('/')).toMatch(/<button type="submit"[^>]*>Lookup<\/button>/);
});

it.each([
  ['/token-donation', { tokenDonations: false }, 'you can still withdraw it', 'Submit it here'],
  ['/donate', { paymentUrl: null }, 'This site has no donation page yet.', 'Donate now'],
  ['/contact', { contact: [] }, 'This site has no contact address yet.', 'Copy address'],
])('the page %s of a site with %j says: %s', (path, settings, sentence, offer) => {
  expect(bodyOf(path, settings)).toContain(sentence);
  expect(bodyOf(path, settings)).not.toContain(offer);
  expect(bodyOf(path)).toContain(offer);
});

it.each([
  ['operator', 'The people who run this site have paused it.'],
  ['invite-changed', 'Its invite now points to a different server, so we’ve stopped redirecting.'],
  ['invite-gone', 'Its invite has expired or been deleted.'],
] as const)('a paused link says which one it is and why: %s', (because, sentence) => {
  const { head, body } = partsOf('/lounge', { pausedLink: { name: 'lounge', because } });
  expect(head).toContain('<title>Link paused');
  for (const words of ['This link is paused', '\u2068flake.example/lounge\u2069 leads nowhere', sentence])
    expect(textOf(body)).toContain(words);
});

it('a page names its address and its language once, and unknown addresses stay out of indexes', () => {
  const { head } = partsOf('/donate', {}, 'pt-br');
  expect(head.match(/rel="canonical" href="[^"]*"/g)).toEqual([
    'rel="canonical" href="https://flake.example/pt-br/donate"',
  ]);
  const locales = LANGUAGE_CODES.map(
    (code) => /"og:locale" content="(\w+)"/.exec(partsOf('/donate', {}, code).head)?.[1],
  );
  expect(locales.join(' ')).toBe(
    'en_GB de_DE fr_FR es_ES pt_BR pl_PL tr_TR uk_UA ru_RU ja_JP ko_KR zh_CN ar_AR',
  );
  const unknown = partsOf('/no/such').head;
  expect(unknown).not.toMatch(/canonical|"alternate"/);
  expect(unknown).toContain('<meta name="robots" content="noindex"/>');
});

it.each(['ja', 'zh'] as const)('no blank stands between two sentences in %s', (language) => {
  for (const path of PATHS) expect(bodyOf(path, {}, language)).not.toMatch(/。(?:<[^>]+>)* /);
});

it('no setting can end an element that it stands in', () => {
  const brandName = '</script></title><script>alert(1)</script>"';
  expect(pageOf('/', { brandName })).not.toContain('<script>alert');
  expect(carriedBy('/', { brandName }).site.brandName).toBe(brandName);
});

it('a page carries no contact address, and samples and offers only where they are shown', () => {
  const sampleIds = [{ id: '441997505123577857', label: 'Ordinary' }];
  const carried = (path: string, language: Language) =>
    carriedBy(path, { sampleIds, sandbox: true }, language);
  expect(carried('/', 'en')).toMatchObject({ site: { contact: [], sampleIds } });
  expect(carried('/status', 'en').site).toMatchObject({ contact: [], sampleIds: [] });
  expect(bodyOf('/')).toContain('Auf Deutsch lesen');
  for (const body of [bodyOf('/status'), bodyOf('/', {}, 'de')]) expect(body).not.toContain('<template');
  expect(pageOf('/help')).not.toContain('id="data"');
});

it('the page of a link has the place of an answer, loads what a lookup needs, and has no address of its own', () => {
  const page = pageOf('/', { linked: true });
  expect(page).toMatch(/<div id="root"[^>]* data-linked="true"/);
  expect(page).toContain('href="/challenge"');
  expect(partsOf('/', { linked: true }).head).not.toContain('canonical');
});
