import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { card, ids, lookUp } from '../support/lookup-page.ts';
import { holdUntilReleased } from '../support/server-answers.ts';

/** Where a card and its parts begin and where they end, from the top of the page on. */
const edgesOf = (page: Page, selector: string): Promise<number[][]> =>
  page.locator(selector).evaluate((element) =>
    // What lies on the banner takes no room.
    [element, ...[...element.children].filter((part) => getComputedStyle(part).position !== 'absolute')].map(
      (part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return [Math.round(top), Math.round(bottom)];
      },
    ),
  );

// Another zone than that of the server: there are more words in the facts.
test.use({ timezoneId: 'Asia/Kathmandu' });

for (const [name, id] of [
  ['with a banner, badges and a colour', ids.ordinary],
  ['with nothing but a name', ids.noAvatar],
] as const)
  test(`the skeleton is where the card will be, of a profile ${name}`, async ({ page }) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const release = await holdUntilReleased(page, '/lookup');
      await lookUp(page, id);
      await page.getByRole('button', { name: 'Looking up…' }).waitFor();
      const awaited = await edgesOf(page, 'main [aria-hidden=true]:has(> div > progress)');
      release();
      await card(page).waitFor();
      await page.waitForFunction(() => [...document.images].every((image) => image.complete));
      expect(await edgesOf(page, 'article'), `${width} px`).toEqual(awaited);
    }
  });
