import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/browser-test.ts';
import { captcha, card, findProfile, idField, ids } from './support/lookup-page.ts';
import { hold } from './support/server-answers.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const FARTHEST = 40;

/** Presses Tab until the focus is there, and expects the focus to be seen. */
const tabTo = async (page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  for (let presses = 0; presses < FARTHEST; presses += 1) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(target).toBeFocused();
  // The lookup field shows it around the box that it shares with its button.
  const outlines = await target.evaluate((element) =>
    [element, element.parentElement ?? element].map((seen) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(seen);
      return `${outlineStyle} ${outlineWidth}`;
    }),
  );
  expect(
    outlines.filter((outline) => !/none|\b0px/.test(outline)),
    'the focus is seen',
  ).not.toEqual([]);
};

const pressOn = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

test('the keyboard leads to theme, pages and an ID’s profile, after a cancelled captcha', async ({
  page,
}) => {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await page.goto('/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Dark theme' }), 'Shift+Tab');
  await page.keyboard.press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await tabTo(page, navigation.getByRole('link', { name: 'Token Donation' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/token-donation');
  await pressOn(page, navigation.getByRole('link', { name: 'Lookup', exact: true }));
  await expect(page).toHaveURL('/');
  await tabTo(page, idField(page));
  await hold(page, '/challenge');
  await page.keyboard.type(ids.ordinary);
  await page.keyboard.press('Enter');
  await expect(captcha(page)).toBeFocused();
  const cancel = captcha(page).getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeEnabled();
  await pressOn(page, cancel);
  await expect(captcha(page)).toHaveCount(0);
  await expect(idField(page)).toBeFocused();
  await page.unroute('/challenge');
  await page.keyboard.press('Enter');
  await expect(card(page)).toBeVisible();
  await expect(card(page).getByRole('heading', { name: 'Marlow Finch' })).toBeFocused();

  await tabTo(page, card(page).getByRole('link', { name: 'Avatar of Marlow Finch' }), 'Shift+Tab');
  await pressOn(page, card(page).getByText('Details', { exact: true }));
  const json = card(page).getByRole('region', { name: 'Raw JSON' });
  await expect(json).toContainText('"username": "marlow.finch"');
  await tabTo(page, json);
});

test('§17 the menu opens and closes by keyboard, and nothing covers what has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 500 });
  await page.goto('/');
  const toggle = page.getByRole('button', { name: 'Menu' });
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Support us' });
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await expect(link).toBeHidden();
  await pressOn(page, toggle);
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await tabTo(page, link);
  await page.keyboard.press('Escape');
  await expect(toggle).toBeFocused();
  await expect(link).toBeHidden();

  await findProfile(page, ids.ordinary);
  await page.getByRole('contentinfo').getByRole('link').last().focus();
  const isFieldFocused = () => idField(page).evaluate((field) => field === document.activeElement);
  for (let back = 0; back < FARTHEST && !(await isFieldFocused()); back += 1) {
    await page.keyboard.press('Shift+Tab');
    const covered = await page.evaluate(() => {
      const focused = document.activeElement!;
      const { left, top, width } = focused.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, Math.max(0, top) + 2);
      return seen !== null && (focused.contains(seen) || seen.contains(focused)) ? '' : focused.outerHTML;
    });
    expect(covered).toBe('');
  }
  await expect(idField(page)).toBeFocused();
});
