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

const expectHome = async (page: Page): Promise<void> => {
  await expect(card(page)).toHaveCount(0);
  await expect(page).toHaveURL('/');
  await expect(page).toHaveTitle(HOME);
};

test('back and forward go through what was looked up, without a call', async ({ page, problems }) => {
  problems.expect(/status of 404 .*\/lookup$/);
  const calls = callsFrom(page);
  await page.goto('/privacy');
  await lookUp(page, marlow.id);
  await expectProfileOf(page, marlow);
  await submitId(page, plough.id);
  await expectProfileOf(page, plough);
  await submitId(page, nobody.id);
  await expect(alert(page)).toContainText('No profile was found');
  await expectAt(page, nobody);
  const spent = calls.length;

  await page.goBack();
  await expectProfileOf(page, plough);
  await page.goBack();
  await expectProfileOf(page, marlow);
  await page.goBack();
  await expectHome(page);
  await expect(idField(page)).toHaveValue('');
  await page.goForward();
  await expectProfileOf(page, marlow);
  await page.goForward();
  await page.goForward();
  await expect(alert(page)).toContainText('No profile was found');
  await expectAt(page, nobody);
  expect(calls).toHaveLength(spent);

  await page.goBack();
  await page.reload();
  await expectProfileOf(page, plough);
  await page.goBack();
  await expectProfileOf(page, marlow);
  await page.goto('/donate');
  await page.goBack();
  await expect(card(page)).toContainText(marlow.name);
});

test('a lookup that ends has a place in the history; one that is cancelled has none', async ({
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
  await expectHome(page);
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
