import { expect, test } from '../support/browser-test.ts';
import { section } from './section.ts';

test.describe('the page on money donations', () => {
  test.beforeEach(({ page }) => page.goto('/donate'));

  test('offers a vanity link from 18 EUR on', async ({ page }) => {
    const main = page.getByRole('main');
    await expect.soft(main).toContainText('Donate 18 EUR or more');
    await expect.soft(main).toContainText(/localhost:\d+\/yourname/);
    await expect.soft(main).toContainText('redirects to your server’s invite');
  });

  test('asks for an e-mail after the donation, and has the address ready', async ({ page }) => {
    const after = section(page, 'After you donate');
    await expect.soft(after).toContainText('send us an email');
    await expect
      .soft(page.getByRole('link', { name: 'send us an email' }))
      .toHaveAttribute('href', '/contact');
    await expect.soft(after.getByRole('button')).toHaveText(['Copy address', 'Send an email']);
  });

  test('links to the payment provider without telling it where from', async ({ page }) => {
    const link = page.getByRole('link', { name: 'Donate now' });
    await expect.soft(link).toHaveAttribute('href', 'https://donate.whoflake.example/');
    await expect.soft(link).toHaveAttribute('rel', 'noreferrer');
  });
});
