import type { Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { card, idField, ids, lookUp, lookupButton } from '../support/lookup-page.ts';
import { holdUntilReleased, sentTo } from '../support/server-answers.ts';

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

/** Fills in an ID and waits for its proof. */
const prove = async (page: Page, id: string): Promise<void> => {
  const started = page.waitForEvent('worker');
  await idField(page).fill(id);
  await started;
  await expect.poll(() => page.workers()).toEqual([]);
};

test('an answer that is there at once comes without a skeleton, one that is waited for comes after it', async ({
  page,
}) => {
  const skeleton = page.locator('main [aria-hidden=true]:has(> div > progress)');
  const seen = page.evaluate.bind(page, () => document.body.dataset['skeleton']);
  await page.clock.install();
  await page.goto('/');
  await prove(page, ids.ordinary);
  await page.evaluate(() =>
    new MutationObserver(() => {
      if (document.querySelector('main [aria-hidden=true] progress') !== null)
        document.body.dataset['skeleton'] = 'seen';
    }).observe(document, { subtree: true, childList: true }),
  );
  await page.clock.pauseAt(Date.now() + 30_000);
  await lookupButton(page).click();
  const pass = (ms: number): Promise<void> => page.clock.runFor(ms);
  const isShown = async (): Promise<boolean> => {
    // The widget needs a moment, too.
    await pass(1);
    return card(page).isVisible();
  };
  await expect.poll(isShown).toBe(true);
  expect(await seen()).toBeUndefined();

  const lookups = sentTo(page, '/lookup');
  const release = await holdUntilReleased(page, '/lookup');
  await prove(page, ids.noAvatar);
  await lookupButton(page).click();
  const countSent = async (): Promise<number> => {
    await pass(1);
    return lookups.length;
  };
  await expect.poll(countSent).toBe(1);
  expect(await seen()).toBeUndefined();
  await pass(100);
  await expect(skeleton).toBeVisible();
  release();
  await expect(card(page)).toContainText(ids.noAvatar);
});
