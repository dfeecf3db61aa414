import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { card, findProfile, ids } from '../support/lookup-page.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const picture = (page: Page, name: 'Avatar' | 'Banner'): Locator =>
  card(page)
    .getByRole('link', { name: new RegExp(`^${name} of`) })
    .locator('img');

const exported = async (page: Page, item: string): Promise<Buffer> => {
  await card(page).getByRole('button', { name: 'Export' }).click();
  const started = page.waitForEvent('download');
  await card(page).getByRole('button', { name: item }).click();
  const download = await started;
  expect(download.suggestedFilename()).toMatch(new RegExp(`^marlow\\.finch-${ids.ordinary}\\.(?:png|json)$`));
  return readFileSync(await download.path());
};

test('what moves on a card is paused with a button, and for those who want no motion', async ({ page }) => {
  await findProfile(page, ids.animated);
  await expect(picture(page, 'Avatar')).toHaveAttribute('src', /animated=true/);
  await card(page).getByRole('button', { name: 'Pause' }).click();
  await expect(picture(page, 'Avatar')).not.toHaveAttribute('src', /animated=true/);
  await card(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expect(picture(page, 'Banner')).toHaveAttribute('src', /animated=true/);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await findProfile(page, ids.animated);
  await expect(card(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect(card(page).getByRole('list', { name: 'Pictures' })).toBeVisible();
  expect(await page.locator('img[src*="animated=true"], img[src*="passthrough=true"]').count()).toBe(0);
});

test('pictures are downloaded under a good name, in the form that was chosen', async ({ page }) => {
  await findProfile(page, ids.ordinary);
  const tile = card(page).getByRole('list', { name: 'Pictures' });
  await tile.getByLabel('Avatar format').selectOption('WebP');
  await tile.getByLabel('Avatar size').selectOption('1024');
  const started = page.waitForEvent('download');
  await tile.getByRole('link', { name: 'Download avatar' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe(`marlow.finch-${ids.ordinary}-avatar.webp`);
  expect(download.url()).toMatch(/\/picture\/.+\.webp\?size=1024$/);
  expect(readFileSync(await download.path()).toString('latin1', 8, 12)).toBe('WEBP');
});

test('a site can show all pictures from its own address', async ({ page, baseURL }) => {
  await page.route('/', async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replace('"relayPictures":false', '"relayPictures":true')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/avatars\/[^"]+/g, '/favicon.svg');
    const policy =
      response.headers()['content-security-policy']?.replace(/img-src [^;]*/, "img-src 'self'") ?? '';
    await route.fulfill({
      response,
      body,
      headers: { ...response.headers(), 'content-security-policy': policy },
    });
  });
  const elsewhere: string[] = [];
  page.on('request', (request) => request.url().startsWith(`${baseURL}`) || elsewhere.push(request.url()));
  await findProfile(page, ids.animated);
  const images = card(page).locator('img');
  const widths = () =>
    images.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
  await expect.poll(widths).not.toContain(0);
  expect(elsewhere).toEqual([]);
});

test('pictures that are blocked leave the colours and the initials', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED/);
  await page.route(/\/(?:avatars|banners)\//, (route) => route.abort());
  await findProfile(page, ids.ordinary);
  await expect(card(page).locator('[data-initials=MF]')).toBeVisible();
  await expect(picture(page, 'Avatar')).toHaveCount(0);
  await expect(picture(page, 'Banner')).toHaveCount(0);
  await expect(card(page).getByRole('link', { name: 'Avatar of Marlow Finch' })).toBeVisible();
  await exported(page, 'Save as image');
  await expect(card(page).getByText('some pictures didn’t load')).toBeVisible();
});

test('a profile is saved as JSON or an image, and copied as text', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await findProfile(page, ids.ordinary);
  expect(JSON.parse((await exported(page, 'Save as JSON')).toString())).toMatchObject({
    id: ids.ordinary,
    username: 'marlow.finch',
  });
  await page.keyboard.press('Escape');
  const png = await exported(page, 'Save as image');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2400, 1260]);
  await card(page).getByRole('button', { name: 'Export' }).click();
  await card(page).getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect(card(page).getByRole('button', { name: 'Markdown copied.' })).toBeVisible();
  expect(await copied()).toContain(`- ID: \`${ids.ordinary}\``);
  await page.keyboard.press('Escape');
  // An Escape that is handled late would close the next menu.
  await expect(card(page).getByRole('button', { name: 'Markdown copied.' })).toBeHidden();

  await card(page).getByRole('button', { name: 'Copy date', exact: true }).click();
  await card(page)
    .getByRole('button', { name: /<t:1525450817:R>$/ })
    .click();
  await expect.poll(copied).toBe('<t:1525450817:R>');
});

test('the report is copied within the press, as some browsers want it', async ({ page }) => {
  await findProfile(page, ids.ordinary);
  await card(page).getByRole('button', { name: 'Export' }).click();
  const item = card(page).getByRole('button', { name: 'Copy as Markdown' });
  const written = item.evaluate((button) => {
    let report = '';
    navigator.clipboard.writeText = (text) => Promise.resolve(void (report = text));
    (button as HTMLElement).click();
    return report;
  });
  expect(await written).toContain(ids.ordinary);
});
