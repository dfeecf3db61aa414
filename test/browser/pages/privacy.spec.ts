import { expect, test } from '../support/browser-test.ts';
import { card, findProfile, ids } from '../support/lookup-page.ts';

/** Everything that the site may write into the storage of a browser, and what the page calls it. */
const KEPT = {
  theme: 'The theme you chose',
  language: 'The language you chose',
  recents: 'Your recent lookups',
};
const KEPT_OF_A_PROFILE = {
  id: 'ID',
  name: 'names',
  handle: 'names',
  avatarUrl: 'avatar URL',
  badges: 'badges',
  tag: 'server tag',
  color: 'accent colour',
  bot: 'whether it is an app',
};

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
  expect(kept.keys.toSorted()).toEqual(Object.keys(KEPT).toSorted());
  expect(kept.ofAProfile.toSorted()).toEqual(Object.keys(KEPT_OF_A_PROFILE).toSorted());
  expect(kept.others + (await context.cookies()).length).toBe(0);
  expect(await page.title()).toContain('Marlow Finch');

  await page.goto('/privacy');
  const named = page.locator('section', { hasText: 'What stays in your browser' });
  for (const words of [
    ...Object.values(KEPT),
    ...Object.values(KEPT_OF_A_PROFILE),
    'in each language you use here',
    'ordinary cache',
    'The ID you look up goes into the page’s address, and the name that is found into its title',
  ])
    await expect.soft(named).toContainText(words);
});
