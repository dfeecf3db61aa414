import type { Locator, Page } from '@playwright/test';
import type { Profile } from '#shared/contract/profile.ts';
import { flagsFromBits } from '#shared/flags.ts';
import { walkInTurn, walkTogether } from './spec-walk.ts';
import { expect } from './support.ts';
import { card, findProfile, ids } from './visitor.ts';

const fact = (page: Page, name: string): Locator =>
  card(page)
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .getByRole('definition');

const expectLinkOut = async (page: Page, picture: string, address: RegExp): Promise<void> => {
  const image = card(page).getByRole('img', { name: picture });
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThan(0);
  const link = card(page).getByRole('link', { name: picture });
  await expect(link).toHaveAttribute('href', address);
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', 'noreferrer');
};

/** The colour that stands round the avatar. */
const ringOf = (page: Page): Locator =>
  card(page)
    .getByRole('link', { name: /^Avatar/ })
    .locator('..');

const titleOf = (page: Page): Locator => card(page).getByRole('heading', { level: 2 });

const guildNames = (page: Page): Promise<string[]> =>
  card(page).getByRole('heading', { level: 3 }).allTextContents();

walkTogether('2, 3 / result card', (page) => findProfile(page, ids.ordinary), [
  {
    row: '3 / display title: display_name first',
    check: ({ page }) => expect(titleOf(page)).toHaveText('Marlow Finch'),
  },
  {
    row: '3 / username',
    check: ({ page }) => expect(card(page).getByText('@marlow.finch', { exact: true })).toBeVisible(),
  },
  {
    row: '3 / discriminator: "0" means none',
    check: ({ page }) => expect(card(page)).not.toContainText('#0'),
  },
  {
    row: '2 / avatar links out to its image',
    check: ({ page }) => expectLinkOut(page, 'Avatar of Marlow Finch', /\/avatars\/441997505123577857\//),
  },
  {
    row: '2 / banner links out to its image',
    check: ({ page }) => expectLinkOut(page, 'Banner of Marlow Finch', /\/banners\/441997505123577857\//),
  },
  {
    row: '3 / avatar border uses accent_color',
    check: ({ page }) => expect(ringOf(page)).toHaveCSS('border-color', 'rgb(79, 124, 172)'),
  },
  {
    row: '3 / created_at: local date/time with suffix UTC',
    check: ({ page }) => expect(fact(page, 'Created')).toContainText('4 May 2018 at 16:20:17 UTC'),
  },
  {
    row: '3 / accent_color and banner_color',
    check: ({ page }) => expect(card(page).getByText('#4f7cac').first()).toBeVisible(),
  },
  {
    row: '3 / public_flags',
    check: ({ page }) => expect(fact(page, 'Public flags')).toHaveText('576'),
  },
  {
    row: '2 / flags: an image chip when an image is present',
    check: async ({ page }) => {
      const chip = card(page).getByRole('list', { name: 'Flags' }).getByRole('listitem').first();
      await expect(chip).toHaveText('House Bravery Member');
      await expect
        .poll(() => chip.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
    },
  },
  {
    row: '2 / clan and primary guild: no card without identity_guild_id',
    check: async ({ page }) => expect(await guildNames(page)).toEqual([]),
  },
]);

walkInTurn('2, 3 / result cards of other profiles', [
  {
    row: '3 / discriminator: any other is shown as #discriminator',
    check: async ({ page }) => {
      await findProfile(page, ids.discriminator);
      await expect(card(page)).toContainText('#4711');
    },
  },
  {
    row: '3 / display title: falls back to username',
    check: async ({ page }) => {
      await findProfile(page, ids.emptyName);
      await expect(titleOf(page)).toHaveText('nameless');
    },
  },
  {
    row: '3 / avatar border: default #7289da',
    check: async ({ page }) => {
      await findProfile(page, ids.noAvatar);
      await expect(ringOf(page)).toHaveCSS('border-color', 'rgb(114, 137, 218)');
      await expect(card(page).getByRole('link', { name: /^Banner/ })).toHaveCount(0);
    },
  },
  {
    row: '2 / flags: a chip with its name alone when no image is present',
    check: async ({ page }) => {
      await page.route('/lookup', async (route) => {
        const profile = (await (await route.fetch()).json()) as Profile;
        await route.fulfill({ json: { ...profile, flags: [{ id: 'NEW', name: 'New Flag', image: null }] } });
      });
      await findProfile(page, ids.everyFlag);
      const chip = card(page).getByRole('list', { name: 'Flags' }).getByRole('listitem');
      await expect(chip).toHaveText('New Flag');
      await expect(chip.locator('img')).toHaveCount(0);
    },
  },
  {
    row: '3 / flags: every flag has its name',
    check: async ({ page }) => {
      await findProfile(page, ids.everyFlag);
      const names = await card(page)
        .getByRole('list', { name: 'Flags' })
        .getByRole('listitem')
        .allTextContents();
      expect(names).toEqual(flagsFromBits(2 ** 24 - 1).map(({ name }) => name));
    },
  },
  {
    row: '2 / clan and primary guild: one card when both are the same, with its badge',
    check: async ({ page }) => {
      await findProfile(page, ids.tag);
      expect(await guildNames(page)).toHaveLength(1);
      await expect(card(page).getByText('SNOW', { exact: true })).toBeVisible();
      await expect(card(page).getByRole('img', { name: 'Server badge' })).toBeVisible();
      await expect(card(page)).toContainText('332779590571257874');
    },
  },
  {
    row: '2 / clan and primary guild: a card each when they differ',
    check: async ({ page }) => {
      await findProfile(page, ids.twoGuilds);
      expect(await guildNames(page)).toEqual(['Clan', 'Primary Guild']);
      await expect(card(page).getByText('LAMP', { exact: true })).toBeVisible();
      await expect(card(page).getByText('SNOW', { exact: true })).toBeVisible();
    },
  },
  {
    row: '3 / names: markup is shown, not run',
    check: async ({ page }) => {
      await findProfile(page, ids.markup);
      await expect(titleOf(page)).toHaveText('<img src=x onerror=alert(1)><b>&lt;"\'`');
    },
  },
  {
    row: '3 / names: a right-to-left override turns nothing around it',
    check: async ({ page }) => {
      await findProfile(page, ids.rightToLeft);
      await expect(titleOf(page).locator('bdi')).toHaveText('photognp.exe منقول');
    },
  },
]);
