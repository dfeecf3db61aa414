import { describe, expect, it } from 'vitest';
import { LANGUAGE_CODES, localPath, type Language } from '#shared/languages.ts';
import { PAGE_PATHS } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { composeSnowflake } from '#shared/snowflake.ts';
import { ASSETS, SITE_WITH_STATUS as site } from '#test/support/site.ts';
import type { CarriedData } from './texts/carried-data.ts';
import {
  allTexts,
  describeLink,
  describeSite,
  renderOffers,
  renderPage,
  renderRest,
} from './entry-render.tsx';

const render = (path: string, language: Language, settings: Partial<Site> = {}) => {
  const html = renderPage({
    path,
    language,
    site: { ...site, ...settings },
    textUrls: { rest: `/texts/${language}.json`, offers: '/offers.json' },
    assets: ASSETS,
  });
  const [head = '', body = ''] = html.split('</head>');
  return { head, body };
};

const carriedBy = (head: string): CarriedData =>
  JSON.parse(/id="data">([^<]*)</.exec(head)?.[1] ?? '') as CarriedData;

/** To pages, without those of the list of languages. */
const linksOf = (body: string): string[] => {
  const [main = '', footer = ''] = body.split('<footer');
  const links = (main + footer.replace(/<nav.*<\/nav>/s, '')).matchAll(/<a [^>]*?href="(\/[^"#]*)/g);
  return [...links].map(([, href = '']) => href).filter((href) => !href.endsWith('.json'));
};

const PATHS = [...PAGE_PATHS, '/no/such'];
const ID = composeSnowflake(Date.parse('2018-05-04T16:20:17Z'), 7);
const NOW_MS = Date.parse('2020-08-05T00:00:00Z');

describe.each(LANGUAGE_CODES)('the pages in %s', (language) => {
  it.each(PATHS)('have their texts with nothing left to fill in, and lead on in the language: %s', (path) => {
    const { head, body } = render(path, language, { sandbox: true });
    // The one that is part of an address of the platform.
    expect(body.replaceAll(/\/users\/\{id\}|<pre.*?<\/pre>/gs, '')).not.toMatch(/\{\w+\}/);
    expect(head.replaceAll(/<(script|style).*?<\/\1>/gs, '')).not.toMatch(/\{\w+\}/);
    expect(linksOf(body)).not.toEqual([]);
    const own = new Set(PAGE_PATHS.map((page) => localPath(page, language)));
    expect(linksOf(body).filter((href) => !own.has(href))).toEqual([]);
  });

  it('can be read without a network, and say why a link is paused', () => {
    expect(render('/', language, { offline: true }).body).toContain('<h1');
    const pausedLink = { name: 'lounge', because: 'invite-gone' } as const;
    expect(render('/lounge', language, { pausedLink }).body).toContain('flake.example/lounge');
  });

  it('fetch the rest of their texts in the same language', () => {
    expect(carriedBy(render('/', language).head).texts).toMatchObject({
      language,
      restUrl: `/texts/${language}.json`,
    });
    const rest = renderRest(language, site);
    expect(Object.keys(JSON.parse(rest) as object)).toContain('captcha');
    expect(rest).not.toMatch(/\{(?:brandName|platformName|host|\w+Url|\w+Digits)\}/);
  });
});

it('only pages that React runs have a place for it, and carry data', () => {
  const place = (path: string, settings?: Partial<Site>): string | undefined => {
    const { head, body } = render(path, 'en', settings);
    expect(head.includes('id="data"')).toBe(body.includes('id="root"'));
    return /<main[^>]*><div (id="root"[^>]*)>/.exec(body)?.[1];
  };
  const code = 'id="root" data-client="/assets/client.js"';
  expect(place('/')).toBe(code);
  expect(place('/', { offline: true })).toBe(code);
  for (const path of ['/token-donation', '/status', '/no/such'])
    expect(place(path)).toBe(`${code} data-waits=""`);
  for (const path of ['/donate', '/contact', '/privacy', '/help']) expect(place(path)).toBeUndefined();
});

it('a page carries the contact address never, and the samples only where they are shown', () => {
  const sampleIds = [{ id: '441997505123577857', label: 'Ordinary' }];
  const carried = (path: string) => carriedBy(render(path, 'en', { sampleIds, sandbox: true }).head).site;
  expect(carried('/')).toMatchObject({ contact: [], sampleIds });
  expect(carried('/status')).toMatchObject({ contact: [], sampleIds: [] });
});

it('a site without a donation page or an address says so, and offers neither', () => {
  const { body: donate } = render('/donate', 'en', { paymentUrl: null });
  expect(donate).toContain('This site has no donation page yet.');
  expect(donate).not.toContain('Donate now');
  const { body: contact } = render('/contact', 'en', { contact: [] });
  expect(contact).toContain('This site has no contact address yet.');
  expect(contact).not.toContain('Copy address');
});

it('a page asks for its code at its end: that of the frame, and all that a link needs', () => {
  const linked = describeLink({ id: ID, nowMs: NOW_MS }, 'en', site);
  const endOf = (path: string, settings?: Partial<Site>): string[] => {
    const [, end = ''] = render(path, 'en', settings).body.split('<div id="whole" hidden></div>');
    return [...end.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  };
  const frame = ['/assets/font.woff2', '/assets/frame.js', '/assets/shared.js'];
  for (const path of ['/help', '/status', '/']) expect(endOf(path)).toEqual(frame);
  expect(endOf('/', { linked })).toEqual([
    '/assets/font.woff2',
    '/assets/entry-proof.js',
    '/assets/frame.js',
    '/assets/shared.js',
    '/assets/client.js',
    '/assets/react.js',
    '/assets/lookup-flow.js',
    '/challenge',
    '/texts/en.json',
  ]);
});

it('the page of a link carries what its id tells, and is none of its own for others', () => {
  const linked = describeLink({ id: ID, nowMs: NOW_MS }, 'en', site);
  const { head } = render('/', 'en', { linked });
  expect(carriedBy(head).site.linked).toEqual(linked);
  expect(head).not.toContain('canonical');
});

it('only the English lookup page knows where the other languages are offered', () => {
  const offersOn = (path: string, language: Language) =>
    carriedBy(render(path, language).head).texts.offersUrl;
  expect(offersOn('/', 'en')).toBe('/offers.json');
  expect(offersOn('/status', 'en')).toBeUndefined();
  expect(offersOn('/', 'de')).toBeUndefined();
});

it('the other languages are offered in their own words', () => {
  const offers = JSON.parse(renderOffers(site)) as object;
  expect(Object.keys(offers)).toEqual(LANGUAGE_CODES.filter((code) => code !== 'en'));
  expect(offers).toMatchObject({ de: { text: 'Diese Website gibt es auch auf Deutsch.' } });
});

it('others say of a link when the account was made, and how old it is', () => {
  expect(describeLink({ id: ID, nowMs: NOW_MS }, 'en', site)).toEqual({
    id: ID,
    createdIso: '2018-05-04T16:20:17.000Z',
    created: '4 May 2018 at 16:20:17 UTC',
    age: '2 years, 3 months',
    place: expect.stringMatching(/^5\d\.\d%$/),
    today: 'today',
    title: `Discord ID ${ID}`,
    description: 'Created on 4 May 2018 at 16:20 UTC (2 years ago). Open the link to look it up.',
  });
  const young = describeLink({ id: ID, nowMs: Date.parse('2018-05-04T16:20:18Z') }, 'en', site);
  expect(young.description).toContain('(just now).');
});

it('the site says what it is for, and what its search finds', () => {
  expect(describeSite('en', site)).toEqual({
    purpose: 'Look up the public Discord profile behind a user ID. Unofficial.',
    search: 'Look up a Discord profile by its user ID',
  });
});

it('all texts are those of every language', () => {
  expect(JSON.parse(allTexts())).toHaveLength(LANGUAGE_CODES.length);
});
