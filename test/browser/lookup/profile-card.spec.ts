import type { Locator, Page } from '@playwright/test';
import type { Profile } from '#shared/contract/profile.ts';
import { flagsFromBits } from '#shared/flags.ts';
import { expect, test } from '../support/browser-test.ts';
import { card, fact, findProfile, ids, submitId, titleOf } from '../support/lookup-page.ts';

const ringOf = (page: Page): Locator =>
  card(page)
    .getByRole('link', { name: /^Avatar/ })
    .locator('..');

const flags = (page: Page): Locator => card(page).getByRole('list', { name: 'Flags' }).getByRole('listitem');
/** Tags beside the username, as they are heard: "Clan: LAMP". */
const guildTags = (page: Page): Locator =>
  card(page)
    .locator('span[title]')
    .filter({ hasText: /Clan|Primary Guild/ });

const middleOf = (box: { x: number; width: number } | null): number => (box ? box.x + box.width / 2 : NaN);

const expectDrawn = (image: Locator): Promise<void> =>
  expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);

test('§44–47, 92, 106, 115 the card of an ordinary profile shows who it is, in words, pictures, colours and figures', async ({
  page,
}) => {
  await findProfile(page, ids.ordinary);

  await test.step('is titled with the display name, and shows the username without a discriminator of 0', async () => {
    await expect.soft(titleOf(page)).toHaveText('Marlow Finch');
    await expect.soft(card(page).getByText('@marlow.finch', { exact: true })).toBeVisible();
    await expect.soft(card(page)).not.toContainText('#0');
  });

  for (const [picture, address] of [
    ['Avatar', /\/avatars\/441997505123577857\//],
    ['Banner', /\/banners\/441997505123577857\//],
  ] as const) {
    await test.step(`shows the ${picture.toLowerCase()} as a link to its image`, async () => {
      const name = `${picture} of Marlow Finch`;
      await expectDrawn(card(page).getByRole('img', { name }));
      const link = card(page).getByRole('link', { name });
      await expect.soft(link).toHaveAttribute('href', address);
      await expect.soft(link).toHaveAttribute('target', '_blank');
      await expect.soft(link).toHaveAttribute('rel', 'noreferrer');
    });
  }

  await test.step('draws the accent colour round the avatar', async () => {
    await expect.soft(ringOf(page)).toHaveCSS('border-color', 'rgb(79, 124, 172)');
  });

  await test.step('has no server tags, and no button to pause what does not move', async () => {
    await expect.soft(guildTags(page)).toHaveCount(0);
    await expect.soft(card(page).getByRole('button', { name: /^(?:Pause|Play)$/ })).toHaveCount(0);
  });

  await test.step('has what people look for on the first screen of a phone, and the actions below it in one row', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    for (const part of [
      titleOf(page),
      flags(page).last(),
      card(page).getByText(/^8 years/),
      fact(page, 'Created'),
    ])
      await expect.soft(part).toBeInViewport({ ratio: 1 });
    const { y: factsY = 0, height = 0 } = (await fact(page, 'ID').boundingBox()) ?? {};
    const actions = ['Copy link', 'Export', 'Open in Discord'].map((name) =>
      card(page)
        .getByRole(name === 'Open in Discord' ? 'link' : 'button', { name })
        .boundingBox(),
    );
    const tops = (await Promise.all(actions)).map((box) => box?.y);
    expect.soft(new Set(tops).size).toBe(1);
    expect.soft(tops[0]).toBeGreaterThan(factsY + height);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  await test.step('tells when the account was created, in UTC, and its flags as a number and as chips', async () => {
    await expect.soft(fact(page, 'Created')).toContainText('4 May 2018 at 16:20:17 UTC');
    await expect.soft(card(page).getByText(/^8 years(?:, \d+ months?)?$/)).toBeVisible();
    await expect.soft(fact(page, 'ID')).toHaveText(ids.ordinary);
    await expect.soft(flags(page).first()).toHaveText('House Bravery Member');
    await expectDrawn(flags(page).first().locator('img'));
    await card(page).getByText('Details', { exact: true }).click();
    await expect.soft(card(page).getByRole('row', { name: 'Public flags' })).toContainText('576');
  });

  await test.step('has the date and the ID, where they stand beside each other, on one line', async () => {
    const date = await fact(page, 'Created').locator('time').boundingBox();
    const id = await fact(page, 'ID').locator('bdi').boundingBox();
    expect.soft(id?.y).toBe(date?.y);
  });

  await test.step('says what a badge is when it is pointed at or reached with the keyboard', async () => {
    const [first, second] = [flags(page).first().locator('span'), flags(page).nth(1).locator('span')];
    await expect(first).toHaveCSS('opacity', '0');
    await flags(page).first().hover();
    await expect(first).toHaveCSS('opacity', '1');
    await page.mouse.move(0, 0);
    await flags(page).first().getByRole('button').focus();
    await page.keyboard.press('Tab');
    await expect(second).toHaveCSS('opacity', '1');
    await expect(first).toHaveCSS('opacity', '0');
    const [badge, name] = [await flags(page).nth(1).boundingBox(), await second.boundingBox()];
    expect(Math.abs(middleOf(name) - middleOf(badge))).toBeLessThan(80);
  });

  await test.step('offers the avatar in other formats and sizes', async () => {
    const download = card(page).getByRole('link', { name: 'Download avatar' });
    await expect.soft(download).toHaveAttribute('href', /\.png\?size=512$/);
    await card(page).getByLabel('Avatar format').selectOption('WebP');
    await card(page).getByLabel('Avatar size').selectOption('2048 px');
    await expect.soft(download).toHaveAttribute('href', /\.webp\?size=2048$/);
  });
});

test('§101, 116, 231 the cards of all other kinds of profile', async ({ page }) => {
  await page.goto('/');
  const show = async (id: string): Promise<void> => {
    await submitId(page, id);
    await expect(fact(page, 'ID')).toHaveText(id);
  };

  await show(ids.discriminator);
  const handle = card(page).getByRole('paragraph').filter({ hasText: 'Old Timer' });
  await expect.soft(handle).toHaveText('Old Timer#4711');

  await show(ids.bot);
  await expect.soft(card(page).getByText('Verified app', { exact: true })).toBeVisible();
  await show(ids.system);
  await expect.soft(card(page).getByText('Verified system account', { exact: true })).toBeVisible();

  await show(ids.deleted);
  await expect.soft(card(page).getByText('This account was deleted.')).toBeVisible();
  await expect.soft(card(page).getByText(/deleted_user_/)).toHaveCount(1);
  await show(ids.deletedBefore);
  await expect.soft(card(page).getByText('This account was deleted.')).toBeVisible();

  await show(ids.fiveColors);
  const colors = await titleOf(page)
    .locator('bdi')
    .evaluate((name) => getComputedStyle(name).backgroundImage.match(/%/g)?.length);
  expect.soft(colors).toBe(5);
  await expect.soft(card(page).getByRole('img', { name: 'Snow drifting across a dark field' })).toBeVisible();
  for (const [picture, sku] of [
    ['Decoration', '1144058844004233369'],
    ['Nameplate', '1349849614198505602'],
  ] as const) {
    const tile = card(page).getByRole('listitem').filter({ hasText: picture });
    await expect.soft(tile).toContainText('Until 1 January 2030');
    const shop = tile.getByRole('link', { name: /^Shop/ });
    await expect.soft(shop).toHaveAttribute('href', `https://discord.com/shop#itemSkuId=${sku}`);
  }
  await show(ids.fiveLetters);
  await expect.soft(titleOf(page).locator('span[style]')).toHaveCount(9);
  await expect.soft(titleOf(page)).toHaveAccessibleName('Gus 🍬 Mallow');

  await show(ids.team);
  await expect.soft(flags(page)).toHaveText('User is a team');
  await show(ids.provisional);
  await expect.soft(flags(page)).toHaveText('Provisional account');

  await show(ids.emptyName);
  await expect.soft(titleOf(page)).toHaveText('nameless');

  await show(ids.noAvatar);
  await expect.soft(ringOf(page)).toHaveCSS('border-color', 'rgb(114, 137, 218)');
  await expect.soft(card(page).getByRole('link', { name: /^Banner/ })).toHaveCount(0);

  await show(ids.everyFlag);
  await expect.soft(flags(page)).toHaveText(flagsFromBits(2 ** 24 - 1).map(({ name }) => name));

  await show(ids.tag);
  await expect.soft(guildTags(page)).toHaveText(['Primary Guild: SNOW']);
  await expectDrawn(guildTags(page).locator('img'));
  for (const guild of ['Clan', 'Primary Guild']) {
    await expect.soft(fact(page, guild)).toContainText(/SNOW.*server 332779590571257874/);
    await expectDrawn(fact(page, guild).locator('img'));
  }

  await show(ids.twoGuilds);
  await expect.soft(guildTags(page)).toHaveText(['Clan: LAMP', 'Primary Guild: SNOW']);
  await expect.soft(fact(page, 'Clan')).toContainText(/LAMP.*server 673347428472057875/);
  await expect.soft(fact(page, 'Primary Guild')).toContainText(/SNOW.*server 332779590571257874/);

  await show(ids.markup);
  await expect.soft(titleOf(page)).toHaveText('<img src=x onerror=alert(1)><b>&lt;"\'`');
  await show(ids.rightToLeft);
  await expect.soft(titleOf(page).locator('bdi')).toHaveText('photognp.exe منقول');
  await expect.soft(card(page).getByText('change the reading direction')).toContainText('photoU+202Egnp');
  await show(ids.hidden);
  await expect.soft(card(page).getByText('Hidden characters')).toContainText('U+2060adU+200Dmin');
  await show(ids.twoScripts);
  await expect.soft(card(page).getByText('different alphabets')).toContainText('\u2068А ԁ\u2069 (Cyrillic)');
});

const answerWith = (page: Page, fields: Partial<Profile>): Promise<unknown> =>
  page.route('/lookup', async (route) => {
    const profile = (await (await route.fetch()).json()) as Profile;
    await route.fulfill({ json: { ...profile, ...fields } });
  });

test('§48 a flag without an image is a chip with its name alone, and an override turns nothing around it', async ({
  page,
}) => {
  const guild = { tag: '\u202eTAG', identity_guild_id: '332779590571257874' };
  await answerWith(page, {
    flags: [{ id: 'NEW', name: 'New Flag', image: null }],
    discriminator: '\u202e4321',
    clan: guild,
    primary_guild: guild,
  });
  await findProfile(page, ids.tag);
  await expect(flags(page)).toHaveText('New Flag');
  await expect(flags(page).locator('img')).toHaveCount(0);
  await expect.soft(card(page).locator('bdi').filter({ hasText: '4321' })).toHaveText('#4321');
  for (const tag of await card(page).locator('bdi').filter({ hasText: 'TAG' }).all())
    await expect.soft(tag).toHaveText('TAG');
  await expect.soft(card(page).getByText(/[\u202a-\u202e\u2066-\u2069]/)).toHaveCount(0);
});

test('names and tags that are endless or stacked stay within a narrow card', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  for (const hostile of ['W'.repeat(10_000), `\u202e${'W'.repeat(10_000)}`, `a${'\u0310'.repeat(5_000)}`]) {
    const guild = { tag: hostile, identity_guild_id: '332779590571257874' };
    await page.unrouteAll();
    await answerWith(page, {
      username: hostile,
      display_name: hostile,
      global_name: hostile,
      discriminator: hostile,
      clan: { ...guild, identity_guild_id: '673347428472057875' },
      primary_guild: guild,
    });
    await findProfile(page, ids.tag);
    const outside = await card(page).evaluate((article) => {
      const { left, right } = article.getBoundingClientRect();
      const isOutside = (element: Element): boolean => {
        const box = element.getBoundingClientRect();
        return box.left < left || box.right > right;
      };
      // The flake in the band is cut off at its edge, and the pictures are a row to be pushed aside.
      const boxes = [
        ...article.querySelectorAll(':not(bdi, svg, path, option, [aria-label=Pictures] *)'),
      ].filter((element) => element.checkVisibility() && isOutside(element));
      return { left, right, boxes: boxes.map(({ outerHTML }) => outerHTML.slice(0, 60)) };
    });
    expect(outside).toEqual({ left: 16, right: 344, boxes: [] });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    for (const tag of await guildTags(page).all()) expect((await tag.boundingBox())?.height).toBeLessThan(30);
  }
});
