import { expect, test } from '../support/browser-test.ts';
import { card, findProfile, ids } from '../support/lookup-page.ts';

/** Everything that the site may write into a browser of a profile, and what the page calls it. */
const KEPT_OF_A_PROFILE = { avatarUrl: 'avatar URL', id: 'ID', name: 'name' };

test('the privacy page names all that stays in the browser', async ({ page, context }) => {
  await findProfile(page, ids.ordinary);
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.getByRole('button', { name: 'Keep recent lookups in this browser' }).click();
  await page.getByRole('navigation', { name: 'Languages' }).getByText('English').first().click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page).toHaveURL(/\/de\?/);
  await expect(card(page)).toBeVisible();
  const kept = await page.evaluate(() => ({
    keys: Object.keys(localStorage),
    ofAProfile: Object.keys(JSON.parse(localStorage.getItem('recents')!)[0]),
    others: Object.keys(sessionStorage).length,
  }));
  expect(kept.keys.toSorted()).toEqual(['language', 'recents', 'theme']);
  expect(kept.ofAProfile.toSorted()).toEqual(Object.keys(KEPT_OF_A_PROFILE));
  expect(kept.others + (await context.cookies()).length).toBe(0);
  expect(await page.title()).toContain('Marlow Finch');

  await page.goto('/privacy');
  const named = page.locator('section', { hasText: 'What stays in your browser' });
  for (const words of [
    'The language you chose',
    'Your recent lookups',
    'The theme you chose',
    ...Object.values(KEPT_OF_A_PROFILE),
    'ordinary cache',
    'The ID you look up goes into the page’s address and the name that is found into its title',
  ])
    await expect.soft(named).toContainText(words);
});
