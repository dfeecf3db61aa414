// No page is opened here, so nothing watches its console.
import { expect, test } from '@playwright/test';
import { factsOf, LANGUAGE_CODES, localPath } from '#shared/languages.ts';
import { PAGE_PATHS } from '#shared/paths.ts';

const canonicalIn = (html: string): string | undefined =>
  /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];

const alternatesIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<link rel="alternate" hrefLang="([^"]*)" href="([^"]*)"/g)].map(
      ([, language = '', address = '']) => [language, address],
    ),
  );

test('every page names itself in every language, at addresses that lead to it', async ({ baseURL }) => {
  const siteUrl = baseURL ?? '';
  for (const path of PAGE_PATHS) {
    const named = Object.fromEntries([
      ...LANGUAGE_CODES.map((code) => [factsOf(code).tag, siteUrl + localPath(path, code)]),
      ['x-default', siteUrl + path],
    ]);
    const found = await Promise.all(
      LANGUAGE_CODES.map(async (code) => {
        const response = await fetch(siteUrl + localPath(path, code), { redirect: 'manual' });
        const html = await response.text();
        const [root] = /<html [^>]*>/.exec(html) ?? [];
        return [response.status, root, canonicalIn(html), alternatesIn(html)];
      }),
    );
    expect(found).toEqual(
      LANGUAGE_CODES.map((code) => [
        200,
        `<html lang="${factsOf(code).tag}" dir="${code === 'ar' ? 'rtl' : 'ltr'}">`,
        siteUrl + localPath(path, code),
        named,
      ]),
    );
  }
});

test('a link to a profile has its preview in the language of its address', async ({ request }) => {
  const html = await (await request.get('/ja?id=441997505123577857')).text();
  expect(html).toContain('<html lang="ja" dir="ltr">');
  expect(html).toMatch(/<meta property="og:description" content="[^"]*2018年5月4日/);
});
