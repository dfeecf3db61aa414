import { expect, test } from '../support/browser-test.ts';

test('the privacy page says what is kept and how not to be shown, and every page leads to it', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'When you look somebody up',
    'What is kept',
    'Not to be shown here',
  ]);
  await page.getByRole('main').getByRole('link', { name: 'write to us' }).click();
  await expect(page).toHaveURL('/contact');
});
