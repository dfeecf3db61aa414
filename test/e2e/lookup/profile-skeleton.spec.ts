import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { card, ids, lookUp } from '../support/lookup-page.ts';
import { holdUntilReleased } from '../support/server-answers.ts';

/** Where the parts of a card begin, from its upper edge on. */
const partsOf = (page: Page, selector: string): Promise<number[]> =>
  page.locator(selector).evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return [...element.children].map((part) => Math.round(part.getBoundingClientRect().top - top));
  });

test('the skeleton has its parts where the card will have them', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const release = await holdUntilReleased(page, '/lookup');
    await lookUp(page, ids.noAvatar);
    await page.getByRole('button', { name: 'Looking up…' }).waitFor();
    const awaited = await partsOf(page, 'main [aria-hidden=true]:has(> div > div > i)');
    release();
    await card(page).waitFor();
    const shown = await partsOf(page, 'article');
    // All but the pictures and the drawer, which come after facts of different heights.
    for (const [index, top] of awaited.slice(0, 4).entries())
      expect(Math.abs(top - (shown[index] ?? Infinity)), `part ${index}, ${width} px`).toBeLessThanOrEqual(2);
  }
});
