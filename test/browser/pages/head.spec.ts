import type { Status } from '#shared/contract/status.ts';
import { expect, test } from '../support/browser-test.ts';
import { idField, ids, lookupButton } from '../support/lookup-page.ts';

test('a page has its preview in its markup; a shared link tells the date only', async ({ request }) => {
  const property = (html: string, name: string): string | undefined =>
    new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1];
  const plain = await (await request.get('/')).text();
  expect(plain).toContain('<style>');
  expect(plain).not.toContain('rel="stylesheet"');
  const response = await request.get(new URL(property(plain, 'og:image') ?? '').pathname);
  expect(response.headers()['content-type']).toBe('image/png');
  const picture = await response.body();
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)].map(String)).toEqual([
    property(plain, 'og:image:width'),
    property(plain, 'og:image:height'),
  ]);

  const shared = await (await request.get(`/?id=${ids.ordinary}`)).text();
  expect(property(shared, 'og:title')).toBe(`Discord ID ${ids.ordinary}`);
  expect(property(shared, 'og:description')).toContain('4 May 2018');
  expect(shared).not.toMatch(/<(?:title|meta)[^>]*(?:marlow|finch)/i);
  for (const id of ['"><script>alert(1)</script>', '9'.repeat(30), `${ids.ordinary}&id=2`]) {
    const html = await (await request.get(`/?id=${encodeURIComponent(id)}`)).text();
    expect.soft(property(html, 'og:title'), id).toBe(property(plain, 'og:title'));
    expect.soft(html, id).not.toContain('alert(1)');
  }
});

test("the browser's own bars have the colour of the page and its theme", async ({ page }) => {
  await page.goto('/');
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const [bar, ground] = await page.evaluate((theme) => {
      const meta = document.querySelector<HTMLMetaElement>(`meta[name=theme-color][media*=${theme}]`);
      document.body.style.color = meta?.content ?? '';
      const bar = getComputedStyle(document.body).color;
      document.body.style.color = 'var(--color-page)';
      return [bar, getComputedStyle(document.body).color];
    }, colorScheme);
    expect(bar).toBe(ground);
  }
  const bars = () =>
    page
      .locator('meta[name=theme-color]')
      .evaluateAll((metas) =>
        metas.map((meta) => (meta as HTMLMetaElement).media).map((media) => matchMedia(media).matches),
      );
  expect(await bars()).toEqual([true, false]);
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect.poll(bars).toEqual([false, true]);
  await page.reload();
  await expect.poll(bars).toEqual([false, true]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('every page has its texts, and forms do what they can', async ({ page, request }) => {
    for (const path of ['/', '/token-donation', '/donate', '/contact', '/status']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
      await expect(page.getByRole('link', { name: 'Contact us' }).last()).toBeVisible();
    }
    const { tokens } = (await (await request.get('/status.json')).json()) as Status;
    const figures = page.locator('main');
    await expect(figures).toContainText(`Retired${tokens.retired}`);
    await expect(figures).toContainText(/Healthy[1-9]/);
    const again = page.waitForResponse((response) => response.url().includes('/status'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    expect((await again).status()).toBe(200);
    await expect(figures).toContainText(/Healthy[1-9]/);
    await page.goto('/token-donation');
    await expect(page.locator('section > noscript p')).toContainText(
      'Donating and withdrawing need JavaScript',
    );
    await expect(page.locator('section > noscript p')).toBeVisible();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Status', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Status');
  });

  test('the lookup page says what needs them, and keeps a submitted ID', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('noscript p')).toContainText('Lookups need JavaScript');
    await expect(page.locator('noscript p')).toBeVisible();
    // None that would do nothing.
    await expect(page.getByRole('main').getByRole('button')).toHaveText(['Lookup']);
    await idField(page).fill(ids.ordinary);
    await lookupButton(page).click();
    await expect(page).toHaveURL(`/?id=${ids.ordinary}`);
    await expect(idField(page)).toHaveValue(ids.ordinary);
    await expect(page.locator('noscript p')).toBeVisible();
    const url = page.locator('meta[property="og:url"]');
    expect(await url.getAttribute('content')).toMatch(new RegExp(`/\\?id=${ids.ordinary}$`));
  });
});
