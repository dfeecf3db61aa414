import type { APIRequestContext } from '@playwright/test';
import { expect, test } from './support.ts';
import { card, idField, ids, lookupButton } from './visitor.ts';

const platformRequests = async (request: APIRequestContext, baseURL: string | undefined): Promise<number> => {
  const sandbox = new URL(baseURL ?? '');
  sandbox.port = String(Number(sandbox.port) + 1);
  const { requests } = (await (await request.get(new URL('/_sandbox/stats', sandbox).href)).json()) as {
    requests: number;
  };
  return requests;
};

const property = (html: string, name: string): string | undefined =>
  new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1];

test('a shared link fills the field and waits for the visitor', async ({ page }) => {
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await page.goto(`/?id=${ids.ordinary}`);
  await expect(idField(page)).toHaveValue(ids.ordinary);
  await expect(page.getByText('4 May 2018 at 16:20:17 UTC')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(posts).toEqual([]);
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
});

test('its preview tells the creation date only, and costs no token', async ({ request, baseURL }) => {
  const before = await platformRequests(request, baseURL);
  const html = await (await request.get(`/?id=${ids.ordinary}`)).text();
  expect(property(html, 'og:title')).toBe(`Discord ID ${ids.ordinary}`);
  expect(property(html, 'og:description')).toContain('2018-05-04');
  expect(html).not.toMatch(/marlow|finch/i);
  expect(await platformRequests(request, baseURL)).toBe(before);
});

test('its preview cannot be made to say anything else', async ({ request }) => {
  const plain = await (await request.get('/')).text();
  for (const id of ['"><script>alert(1)</script>', 'hello', '0', '9'.repeat(30), `${ids.ordinary}&id=2`]) {
    const html = await (await request.get(`/?id=${encodeURIComponent(id)}`)).text();
    expect(property(html, 'og:title')).toBe(property(plain, 'og:title'));
    expect(html).not.toContain('alert(1)');
  }
});
