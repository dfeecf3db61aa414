import { expect, test } from '../support/browser-test.ts';
import { section } from './section.ts';

test('the privacy page says what is kept and how not to be shown, and every page leads to it', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'When you look someone up',
    'What stays in your browser',
    'What we keep',
    'Opting out',
  ]);
  await page.getByRole('main').getByRole('link', { name: 'email us' }).click();
  await expect(page).toHaveURL('/contact');
});

test('the privacy page says what others see of a lookup, and what stays in the browser', async ({ page }) => {
  await page.goto('/privacy');
  for (const [title, sentence] of [
    ['When you look someone up', 'We keep no record of it: not the ID, not the result, not your IP address.'],
    [
      'When you look someone up',
      'Images come straight from Discord’s own image servers, which see your IP address, as any website does.',
    ],
    ['What stays in your browser', 'The theme you chose, if you switched it. It never leaves your browser.'],
    ['What stays in your browser', 'The list never leaves your browser, and one press deletes it.'],
    [
      'What stays in your browser',
      'It is the same for everyone and holds nothing about you or your lookups.',
    ],
    [
      'What stays in your browser',
      'Like every page you visit, it then stays in your browser’s history until you clear it.',
    ],
  ] as const) {
    await expect.soft(section(page, title)).toContainText(sentence);
  }
});
