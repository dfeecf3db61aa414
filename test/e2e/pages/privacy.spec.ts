import { expect, test } from '../support/browser-test.ts';
import { section } from './section.ts';

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

test('the privacy page says what others see of a lookup, and what stays in the browser', async ({ page }) => {
  await page.goto('/privacy');
  const lookups = section(page, 'When you look somebody up');
  for (const sentence of [
    'Nothing is written down: not the ID, not the answer, not your address.',
    'Your browser remembers the theme you chose, and that stays in your browser.',
    'When a profile is found, its ID is put into the address of the page, so that you can share the link or come back to it.',
    'Like every page you visit, it then stays in your browser’s own history until you clear it.',
    "Pictures come straight from Discord's own image servers, which see your address like those of any site you visit.",
  ]) {
    await expect.soft(lookups).toContainText(sentence);
  }
});
