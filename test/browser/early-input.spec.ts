import type { Page } from '@playwright/test';
import { expect, test } from './support/browser-test.ts';
import { withdrawalCaptcha, withdrawalField, withdrawButton } from './support/donation-forms.ts';
import { watchForLeaks } from './support/leaks.ts';
import { card, idField, ids, lookupButton } from './support/lookup-page.ts';
import { hold, holdUntilReleased, sentTo } from './support/server-answers.ts';

const CODE = /\/assets\/.*\.js$/;

/** Opens a page whose code is on its way until the returned function is called. */
const openWithoutCode = async (page: Page, path: string, code = CODE): Promise<() => void> => {
  const release = await holdUntilReleased(page, code);
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByRole('contentinfo').waitFor();
  return release;
};

const pagesLoaded = (page: Page): string[] => {
  const addresses: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && addresses.push(request.url()));
  return addresses;
};

test('a mention that is looked up before the code is there is looked up once it is', async ({ page }) => {
  const lookups = sentTo(page, '/lookup');
  const loaded = pagesLoaded(page);
  const release = await openWithoutCode(page, '/');
  await idField(page).fill(`<@!${ids.ordinary}>`);
  await lookupButton(page).click();
  release();
  await expect(card(page)).toBeVisible();
  expect(lookups).toEqual([{ discord_id: ids.ordinary, proof: expect.any(String) }]);
  expect(loaded).toHaveLength(1);
});

test('a receipt that is sent before the code of its page is there is sent once it is', async ({ page }) => {
  const leaks = watchForLeaks(page, { secret: 'WD-ABC', path: 'nowhere' });
  const loaded = pagesLoaded(page);
  await hold(page, '/challenge');
  const release = await openWithoutCode(page, '/token-donation', /\/token-donation-.*\.js$/);
  await withdrawalField(page).fill('WD-ABC');
  await withdrawButton(page).click();
  release();
  await expect(withdrawalCaptcha(page)).toBeVisible();
  await expect(withdrawalField(page)).toHaveValue('WD-ABC');
  expect(await leaks.found()).toEqual([]);
  expect(loaded).toHaveLength(1);
});
