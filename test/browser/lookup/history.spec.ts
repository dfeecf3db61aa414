import type { Page } from '@playwright/test';
import { ERROR_SENTENCES } from '#shared/sentences.ts';
import { expect, test } from '../support/browser-test.ts';
import {
  alert,
  captcha,
  card,
  idField,
  ids,
  lookUp,
  lookupButton,
  submitId,
} from '../support/lookup-page.ts';
import { answer, callsFrom, hold, holdUntilReleased } from '../support/server-answers.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const HOME = 'Whoflake: Discord profile lookup';

type Place = { readonly id: string; readonly name: string };

const marlow: Place = { id: ids.ordinary, name: 'Marlow Finch' };
const plough: Place = { id: ids.bot, name: 'Snowplough' };
const nobody: Place = { id: ids.nobody, name: ids.nobody };

const expectAt = async (page: Page, { id, name }: Place): Promise<void> => {
  await expect(page).toHaveTitle(`${name} · Whoflake`);
  await expect(page).toHaveURL(`/?id=${id}`);
  await expect(idField(page)).toHaveValue(id);
};

const expectProfileOf = async (page: Page, place: Place): Promise<void> => {
  await expect(card(page).getByRole('heading', { name: place.name })).toBeVisible();
  await expectAt(page, place);
};

test('back and forward go through what was looked up, without a call', async ({ page, problems }) => {
  problems.expect(/status of 404 .*\/lookup$/);
  const calls = callsFrom(page);
  await page.goto('/privacy');
  await lookUp(page, marlow.id);
  await expectProfileOf(page, marlow);
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(globalThis, { seen });
    // Called before the browser can do anything else, such as go back.
    new MutationObserver(() => {
      const name = document.querySelector('article h2')?.textContent;
      seen.add(`${name}: ${location.search} ${document.title}`);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await submitId(page, plough.id);
  await expectProfileOf(page, plough);
  const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
  expect(seen.filter((text) => text.startsWith(plough.name))).toEqual([
    `${plough.name}: ?id=${plough.id} ${plough.name} · Whoflake`,
  ]);
  await submitId(page, nobody.id);
  await expect(alert(page)).toContainText('No profile was found');
  await expectAt(page, nobody);
  const spent = calls.length;

  await page.goBack();
  await expectProfileOf(page, plough);
  await page.goBack();
  await expectProfileOf(page, marlow);
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect(page).toHaveTitle(HOME);
  await expect(idField(page)).toHaveValue('');
  await expect(card(page)).toHaveCount(0);
  await page.goForward();
  await expectProfileOf(page, marlow);
  await page.goForward();
  await page.goForward();
  await expect(alert(page)).toContainText('No profile was found');
  await expectAt(page, nobody);
  expect(calls).toHaveLength(spent);
});

test('a lookup that ends has a place in the history, and one that is cancelled leaves the one before', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 500 .*\/lookup$/);
  await lookUp(page, marlow.id);
  await expectProfileOf(page, marlow);

  await hold(page, '/challenge');
  await submitId(page, ids.animated);
  await expect(captcha(page)).toBeVisible();
  await page.keyboard.press('Escape');
  // The address does not name what is no longer shown; going back shows it again.
  await expect(card(page)).toHaveCount(0);
  await expect(page).toHaveURL('/');
  await expect(page).toHaveTitle(HOME);
  await expect(idField(page)).toHaveValue(ids.animated);
  await page.goBack();
  await expectProfileOf(page, marlow);
  await page.unroute('/challenge');

  await answer(page, '/lookup', { status: 500, json: { error: 'It broke.', code: 'internal' } });
  await submitId(page, plough.id);
  await expect(alert(page)).toContainText(ERROR_SENTENCES.internal);
  await expectAt(page, { id: plough.id, name: plough.id });
  await page.unroute('/lookup');
  await alert(page).getByRole('button', { name: 'Try again' }).click();
  await expectProfileOf(page, plough);

  // Going back ends a lookup under way, and one that is only about to begin.
  await hold(page, '/lookup');
  await submitId(page, ids.animated);
  await expect(page.getByRole('button', { name: 'Looking up…' })).toBeVisible();
  await expect(captcha(page)).toHaveCount(0);
  await page.goBack();
  await expectProfileOf(page, marlow);
  await expect(lookupButton(page)).toHaveText('Lookup');
  await idField(page).fill(ids.animated);
  await page.evaluate(() => {
    document.querySelector<HTMLButtonElement>('main form button')?.click();
    history.forward();
  });
  await expectProfileOf(page, plough);
  await expect(lookupButton(page)).toHaveText('Lookup');
});

test('after a reload the places are there; a link within the page leaves the profile', async ({ page }) => {
  await lookUp(page, marlow.id);
  await expectProfileOf(page, marlow);
  await submitId(page, plough.id);
  await expectProfileOf(page, plough);
  await page.reload();
  await expectProfileOf(page, plough);
  await page.goBack();
  await expectProfileOf(page, marlow);
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(card(page)).toBeVisible();
});

test('who goes back twice while a page loads gets the profile of the address', async ({ page }) => {
  await lookUp(page, marlow.id);
  await expectProfileOf(page, marlow);
  await submitId(page, plough.id);
  await expectProfileOf(page, plough);
  await page.goto('/privacy');
  const release = await holdUntilReleased(page, /\.js$/);
  await page.goBack({ waitUntil: 'commit' });
  await expect(idField(page)).toHaveValue(plough.id);
  await page.goBack({ waitUntil: 'commit' });
  await expect(page).toHaveURL(`/?id=${marlow.id}`);
  release();
  await expectProfileOf(page, marlow);
});

test('a link that failed is looked up again on the way back, and all others stay what they were', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 500 .*\/lookup$/);
  await answer(page, '/lookup', { status: 500, json: { error: 'It broke.', code: 'internal' } });
  await page.goto(`/?id=${marlow.id}`);
  await expect(alert(page)).toContainText(ERROR_SENTENCES.internal);
  await page.unroute('/lookup');
  const player: Place = { id: ids.provisional, name: 'Player One' };
  for (const place of [plough, player]) {
    await submitId(page, place.id);
    await expectAt(page, place);
  }
  const go = (steps: number): Promise<void> => page.evaluate((by) => history.go(by), steps);
  await go(-2);
  await expectProfileOf(page, marlow);
  await go(2);
  await expectProfileOf(page, player);
  await page.goBack();
  await expectProfileOf(page, plough);

  // What is cancelled leaves the title of the place that it leads to.
  await hold(page, '/challenge');
  await submitId(page, ids.animated);
  await expect(captcha(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/');
  await expect(page).toHaveTitle(HOME);
});
