import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { card, ids, lookUp } from '../support/lookup-page.ts';
import { holdUntilReleased } from '../support/server-answers.ts';

/** Where a card and its parts begin and end, from the top of the page on, down to what is known before the answer. */
const edgesOf = (page: Page, selector: string): Promise<number[][]> =>
  page.locator(selector).evaluate((element) =>
    // What lies on the banner takes no room.
    [...element.children]
      .filter((part) => getComputedStyle(part).position !== 'absolute')
      .slice(0, 5)
      .map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return [Math.round(top), Math.round(bottom)];
      }),
  );

// Another zone than that of the server: there are more words in the facts.
test.use({ timezoneId: 'Asia/Kathmandu' });

test('the skeleton is where the card will be, of a full profile and of one with nothing but a name', async ({
  page,
}) => {
  for (const id of [ids.ordinary, ids.noAvatar])
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const release = await holdUntilReleased(page, '/lookup');
      await lookUp(page, id);
      await page.getByRole('button', { name: 'Looking up…' }).waitFor();
      const awaited = await edgesOf(page, 'main [inert] > div');
      release();
      await card(page).waitFor();
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      expect(await edgesOf(page, 'article'), `${id}, ${width} px`).toEqual(awaited);
    }
});

test('a link to a profile has its date and its ID at the first paint, and keeps them', async ({ page }) => {
  const release = await holdUntilReleased(page, /\.js$/);
  await page.goto(`/?id=${ids.ordinary}`, { waitUntil: 'commit' });
  const main = page.getByRole('main');
  for (const words of ['4 May 2018 at 16:20:17 UTC', /^8 years(?:, \d+ months?)?$/, ids.ordinary])
    await expect(main.getByText(words)).toBeVisible();
  await page.evaluate(() => {
    const field = document.querySelector('input');
    const values = new Set<string | undefined>();
    Object.assign(globalThis, { values });
    const note = (): void => {
      values.add(field?.value);
      requestAnimationFrame(note);
    };
    note();
  });
  release();
  await expect(card(page)).toContainText('Marlow Finch');
  const values = await page.evaluate(() => [...(globalThis as unknown as { values: Set<string> }).values]);
  expect(values).toEqual([ids.ordinary]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a link to a profile tells when the account was created', async ({ page }) => {
    await page.goto(`/?id=${ids.ordinary}`);
    await expect(page.getByRole('main').getByText('4 May 2018 at 16:20:17 UTC')).toBeVisible();
    await expect(page.locator('noscript p')).toBeVisible();
  });
});
