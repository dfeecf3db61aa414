import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { PROFILE } from '#test/support/profile.ts';
import { expect, test } from '../support/browser-test.ts';
import { card, findProfile, ids } from '../support/lookup-page.ts';
import { answer, holdUntilReleased } from '../support/server-answers.ts';

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

test('what somebody wears is seen, and what moves is paused with one button', async ({ page }) => {
  await findProfile(page, ids.animated);
  for (const part of ['avatar-decoration-presets', 'collectibles'])
    await expect
      .poll(() =>
        card(page)
          .locator(`img[src*="${part}"]`)
          .first()
          .evaluate((element: HTMLImageElement) => element.naturalWidth),
      )
      .toBeGreaterThan(0);
  const name = card(page).getByRole('heading', { level: 2 }).locator('bdi');
  await expect(name).toHaveCSS('background-clip', 'text');
  await expect(picture(page, 'Avatar')).toHaveAttribute('src', /animated=true/);
  await card(page).getByRole('button', { name: 'Pause' }).click();
  for (const part of ['Avatar', 'Banner'] as const)
    await expect(picture(page, part)).not.toHaveAttribute('src', /animated=true/);
  await card(page).getByRole('button', { name: 'Play', exact: true }).click();
  await expect(picture(page, 'Banner')).toHaveAttribute('src', /animated=true/);
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(name).toHaveCSS('background-image', 'none');
  await expect(name).not.toHaveCSS('color', 'rgba(0, 0, 0, 0)');
  // Its arrow is a background, of which nothing is left there.
  await expect(card(page).locator('select').first()).toHaveCSS('appearance', 'auto');
  const ground = card(page).getByRole('button', { name: 'Pause' });
  await expect(ground).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});

test('nothing moves for those who want no motion; text of twice the size has room', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await findProfile(page, ids.animated);
  await expect(card(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  expect(await page.locator('img[src*="animated=true"], img[src*="passthrough=true"]').count()).toBe(0);
  await expect(picture(page, 'Avatar')).toHaveAttribute('src', /\.webp\?size=512$/);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  const outside = await card(page).evaluate((article) =>
    [...article.querySelectorAll(':not(svg, path, option, [aria-label=Pictures] *)')]
      .filter((element) => element.checkVisibility())
      .filter((element) => element.getBoundingClientRect().right > article.getBoundingClientRect().right)
      .map(({ outerHTML }) => outerHTML.slice(0, 80)),
  );
  expect(outside).toEqual([]);
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
    const policy = response.headers()['content-security-policy'] ?? '';
    const headers = {
      ...response.headers(),
      'content-security-policy': policy.replace(/img-src [^;]*/, "img-src 'self'"),
    };
    await route.fulfill({ response, body, headers });
  });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(String(baseURL))) elsewhere.push(request.url());
  });
  await findProfile(page, ids.animated);
  const broken = () =>
    card(page)
      .locator('img')
      .evaluateAll((images) =>
        images
          .filter((image) => (image as HTMLImageElement).naturalWidth === 0)
          .map((image) => (image as HTMLImageElement).src),
      );
  await expect.poll(broken).toEqual([]);
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

test('the image of a card is drawn in the typeface, even if that has still to come', async ({ page }) => {
  const release = await holdUntilReleased(page, /figtree-basic.*woff2$/);
  await page.goto(`/?id=${ids.ordinary}`, { waitUntil: 'commit' });
  await card(page).getByRole('button', { name: 'Export' }).click();
  const started = page.waitForEvent('download');
  const code = page.waitForResponse(/profile-image.*\.js$/);
  await card(page).getByRole('button', { name: 'Save as image' }).click();
  await code;
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  release();
  const early = readFileSync(await (await started).path());
  await expect(card(page).getByRole('button', { name: 'Export' })).toBeVisible();
  expect(early.equals(await exported(page, 'Save as image'))).toBe(true);
});

test('the image of a card has its days in full, in the languages in which they are longest', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const drawn: string[] = [];
    Object.assign(globalThis, { drawn });
    // oxlint-disable-next-line unbound-method -- it is applied to its pen below
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y): void {
      drawn.push(text);
      fillText.call(this, text, x, y);
    };
  });
  const json = { ...PROFILE, avatar_url: null, created_at: '2018-09-28T22:48:58Z' };
  await answer(page, '/lookup', { status: 200, json: { ...json, looked_up_at: '2026-11-28T22:48:58Z' } });
  for (const [path, created, lookedUp] of [
    ['/es', '28 de septiembre de 2018 a las 22:48:58 UTC', 'Consultado el 28 de noviembre de 2026'],
    ['/pt-br', '28 de setembro de 2018 às 22:48:58 UTC', 'Consultado em 28 de novembro de 2026'],
  ] as const) {
    await page.goto(`${path}?id=${PROFILE.id}`);
    await card(page).locator('[popovertarget]').last().click();
    const saved = page.waitForEvent('download');
    await card(page).locator(':popover-open button').first().click();
    await saved;
    const drawn = await page.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn);
    expect(drawn).toEqual(expect.arrayContaining([created, lookedUp]));
  }
});

test('a profile is saved as JSON or an image, copied as text, and printed', async ({ page, context }) => {
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
  await expect(card(page).getByRole('button', { name: 'Image saved.' })).toBeVisible();
  await expect(card(page).getByText('Save as JSON')).toBeHidden();
  await expect(card(page).getByRole('button', { name: 'Export' })).toBeVisible();

  await card(page).getByRole('button', { name: 'Export' }).click();
  await card(page).getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect(card(page).getByRole('button', { name: 'Report copied.' })).toBeVisible();
  expect(await copied()).toContain(`- ID: \`${ids.ordinary}\``);
  expect(await copied()).toContain('<t:1525450817:F>');
  await page.keyboard.press('Escape');

  const date = card(page).getByRole('button', { name: 'Copy date', exact: true });
  await date.click();
  for (const letter of ['d', 'D', 't', 'T', 'f', 'F', 'R']) {
    await card(page)
      .getByRole('button', { name: new RegExp(`<t:1525450817:${letter}>$`) })
      .click();
    await expect.poll(copied).toBe(`<t:1525450817:${letter}>`);
  }
  await page.keyboard.press('Escape');
  await expect(date).toBeFocused();

  await page.pdf();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(card(page)).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: 'Lookup' })).toBeHidden();
  await expect(card(page).getByRole('button', { name: 'Copy link' })).toBeHidden();
  await expect(card(page).getByText(/^Looked up .* UTC with Whoflake: http.*\?id=/)).toBeVisible();
  const badge = card(page).getByText('House Bravery Member');
  await expect(badge).toBeVisible();
  await expect(badge.locator('..')).toHaveCSS('padding-right', '12px');
  await expect(badge.locator('..')).toHaveCSS('background-clip', 'border-box');
  await expect(card(page)).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});
