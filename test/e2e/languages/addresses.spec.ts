import { factsOf, LANGUAGE_CODES, localPath } from '#shared/languages.ts';
import { PAGE_PATHS } from '#shared/paths.ts';
import { expect, test } from '../support/browser-test.ts';

const addressOf = (html: string, link: string): string | undefined =>
  new RegExp(`<link ${link} href="([^"]*)"`).exec(html)?.[1];

test('every page names itself in every language, and each of these addresses leads to it', async ({
  request,
  baseURL,
}) => {
  const siteUrl = baseURL ?? '';
  for (const path of PAGE_PATHS) {
    const named = Object.fromEntries([
      ...LANGUAGE_CODES.map((code) => [factsOf(code).tag, siteUrl + localPath(path, code)]),
      ['x-default', siteUrl + path],
    ]);
    for (const code of LANGUAGE_CODES) {
      const { tag } = factsOf(code);
      const address = siteUrl + localPath(path, code);
      const response = await request.get(address, { maxRedirects: 0 });
      const html = await response.text();
      expect.soft([address, response.status()]).toEqual([address, 200]);
      expect.soft(html).toContain(`<html lang="${tag}" dir="${code === 'ar' ? 'rtl' : 'ltr'}">`);
      expect.soft(addressOf(html, 'rel="canonical"')).toBe(address);
      const alternates = html.matchAll(/<link rel="alternate" hrefLang="([^"]*)" href="([^"]*)"/g);
      expect.soft(Object.fromEntries([...alternates].map(([, ...pair]) => pair))).toEqual(named);
    }
  }
});

test('a link to a profile has its preview in the language of its address', async ({ request }) => {
  const html = await (await request.get('/ja?id=441997505123577857')).text();
  expect(html).toContain('<html lang="ja" dir="ltr">');
  expect(html).toMatch(/<meta property="og:description" content="[^"]*2018年5月4日/);
});
