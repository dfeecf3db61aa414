import type { Locator, Page } from '@playwright/test';
import german from '#texts/de.json' with { type: 'json' };
import { expect, test } from '../support/browser-test.ts';
import { interactive, watchForInteractive } from '../support/interactive.ts';
import { ids } from '../support/lookup-page.ts';
import { holdUntilReleased } from '../support/server-answers.ts';

const offer = (page: Page): Locator => page.getByRole('complementary', { name: 'Deutsch' });

const OFFERS = /\/texts\/offers-/;

const offersAskedFor = (page: Page): string[] => {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (OFFERS.test(request.url())) urls.push(request.url());
  });
  return urls;
};

const places = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *:not(aside, aside *)')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [element.tagName, x, y, width, height].join(' ');
    }),
  );

test.beforeEach(({ page }) => watchForInteractive(page));

test.describe('to those who read German', () => {
  test.use({ locale: 'de-DE' });

  test('the English page offers German, moves nothing, and remembers a no', async ({ page }) => {
    const offers = offersAskedFor(page);
    const answer = await holdUntilReleased(page, OFFERS);
    const asked = page.waitForRequest(OFFERS);
    await page.goto('/?a=b');
    await asked;
    await interactive(page, 'app');
    const before = await places(page);
    answer();
    await expect(offer(page)).toContainText(german.offer.text);
    await expect(offer(page)).toHaveAttribute('lang', 'de');
    expect(await places(page)).toEqual(before);
    await expect(page).toHaveURL('/?a=b');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');

    await offer(page).getByRole('button', { name: german.offer.decline }).click();
    await expect(offer(page)).toHaveCount(0);
    expect(await page.evaluate(() => Object.entries(localStorage))).toEqual([['language', 'en']]);
    await page.reload();
    await interactive(page, 'app');
    expect(offers).toHaveLength(1);
  });

  test('a yes leads to the same in German, and is offered again from the English page', async ({ page }) => {
    await page.goto('/');
    const accept = offer(page).getByRole('link', { name: german.offer.accept });
    await accept.click();
    await expect(page).toHaveURL('/de');
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(offer(page)).toHaveCount(0);
    await page.goto(`/?id=${ids.ordinary}`);
    await expect(page.getByRole('article')).toContainText('Marlow Finch');
    await accept.click();
    await expect(page).toHaveURL(`/de?id=${ids.ordinary}`);
    await expect(page.getByRole('article')).toContainText('Marlow Finch');
  });
});

test.describe('to those who read English', () => {
  test.use({ locale: 'en-GB' });

  test('nothing is offered, unless another language was chosen in the list', async ({ page }) => {
    const offers = offersAskedFor(page);
    await page.goto('/');
    await interactive(page, 'app');
    await page.getByRole('contentinfo').locator('summary').click();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await expect(page).toHaveURL('/de');
    expect(offers).toEqual([]);
    await page.goto('/');
    await expect(offer(page)).toBeVisible();
    await expect(page).toHaveURL('/');
  });
});
