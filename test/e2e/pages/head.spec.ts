import type { Page } from '@playwright/test';
import type { Status } from '#shared/contract/status.ts';
import { expect, test } from '../support/browser-test.ts';
import { idField, ids, lookupButton } from '../support/lookup-page.ts';

const content = (page: Page, name: string): Promise<string | null> =>
  page.locator(`meta[property="${name}"]`).getAttribute('content');

test('the picture of a preview is there, and as large as the page says', async ({ page, request }) => {
  await page.goto('/');
  const address = new URL((await content(page, 'og:image')) ?? '');
  const response = await request.get(address.pathname);
  expect(response.headers()['content-type']).toBe('image/png');
  const picture = await response.body();
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)].map(String)).toEqual([
    await content(page, 'og:image:width'),
    await content(page, 'og:image:height'),
  ]);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the browser's own bars have the colour of the ${colorScheme} page`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    const [bar, ground] = await page.evaluate((theme) => {
      const meta = document.querySelector<HTMLMetaElement>(`meta[name=theme-color][media*=${theme}]`);
      document.body.style.color = meta?.content ?? '';
      const bar = getComputedStyle(document.body).color;
      document.body.style.color = 'var(--color-page)';
      return [bar, getComputedStyle(document.body).color];
    }, colorScheme);
    expect(bar).toBe(ground);
  });
}

test("the browser's own bars follow the visitor's choice of theme", async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
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

  test('an ID that was submitted stays in the field, and in the link', async ({ page }) => {
    await page.goto('/');
    await idField(page).fill(ids.ordinary);
    await lookupButton(page).click();
    await expect(page).toHaveURL(`/?id=${ids.ordinary}`);
    await expect(idField(page)).toHaveValue(ids.ordinary);
    expect(await content(page, 'og:url')).toMatch(new RegExp(`/\\?id=${ids.ordinary}$`));
  });

  test('a form that needs them says so', async ({ page }) => {
    await page.goto('/token-donation');
    const sentence = page.locator('form noscript p');
    await expect(sentence).toContainText('Withdrawing here needs JavaScript');
    await expect(sentence).toBeVisible();
  });

  test('the status page has its figures', async ({ page, request }) => {
    const { tokens } = (await (await request.get('/status.json')).json()) as Status;
    await page.goto('/status');
    const figures = page.locator('dl');
    await expect(figures).toContainText(`Tokens retired${tokens.retired}`);
    await expect(figures).toContainText(/Tokens healthy[1-9]/);
    const again = page.waitForResponse((response) => response.url().includes('/status'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    expect((await again).status()).toBe(200);
    await expect(figures).toContainText(/Tokens healthy[1-9]/);
  });
});
