import { LANGUAGE_CODES, localPath } from '#shared/languages.ts';
import { expect, test } from '../support/browser-test.ts';
import { donation } from '../support/donation-forms.ts';
import { card, findProfile, ids } from '../support/lookup-page.ts';

for (const viewport of [
  { width: 375, height: 740 },
  { width: 1280, height: 800 },
])
  test(`the hero is seen without scrolling, in every language, at ${viewport.width} × ${viewport.height}`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    for (const language of LANGUAGE_CODES) {
      await page.goto(localPath('/', language));
      const main = page.getByRole('main');
      for (const part of [
        main.getByRole('heading', { level: 1 }),
        main.getByRole('paragraph').first(),
        main.getByRole('textbox'),
        main.locator('form').getByRole('button'),
        main.locator('form + div').getByRole('button'),
        main.locator('form + div').getByRole('link'),
      ])
        await expect.soft(part, language).toBeInViewport({ ratio: 1 });
    }
  });

test('the hero has a button that opens the donation dialog and a link to the page about it; the banner leads to /donate', async ({
  page,
}) => {
  await page.goto('/');
  const hero = page.getByRole('main').locator('form + div');
  const banner = page.getByRole('complementary', { name: 'Support' });
  await expect(hero.getByRole('link', { name: 'How token donations work' })).toHaveAttribute(
    'href',
    '/token-donation',
  );
  await expect(banner).toContainText('Money pays for the server; donated bot tokens keep lookups working.');
  await expect(banner.getByRole('link', { name: 'Support us' })).toHaveAttribute('href', '/donate');
  await hero.getByRole('button', { name: 'Donate a bot token' }).click();
  await expect(donation(page)).toBeVisible();
});

test('next to an answer, the button and the link of the hero are in the banner', async ({ page }) => {
  await findProfile(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
  const banner = page.getByRole('complementary', { name: 'Support' });
  await expect(banner.getByRole('link', { name: 'How token donations work' })).toBeVisible();
  await banner.getByRole('button', { name: 'Donate a bot token' }).click();
  await expect(donation(page)).toBeVisible();
});
