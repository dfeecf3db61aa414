import { expect, test } from '../support/browser-test.ts';
import { donation } from '../support/donation-forms.ts';
import { card, findProfile, ids } from '../support/lookup-page.ts';

test('§9, 30–31, 42–43 the hero has a button that opens the donation dialog and a link to the page about it; the banner leads to /donate', async ({
  page,
}) => {
  await page.goto('/');
  const hero = page.getByRole('main').locator('form + div');
  const banner = page.getByRole('complementary', { name: 'Support' });
  await expect(hero.getByRole('link', { name: 'How token donations work' })).toHaveAttribute(
    'href',
    '/token-donation',
  );
  await expect(banner).toContainText('Money pays for hosting; donated bot tokens keep lookups working.');
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
