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

/** The ID in the address, and the one on the card. Undefined while a page is being loaded. */
const shownAt = (page: Page): Promise<readonly [string, string] | undefined> =>
  page
    .evaluate(() => {
      const id = new URLSearchParams(location.search).get('id') ?? '';
      const [shown = ''] = /\d{17,19}/.exec(document.querySelector('article dl')?.textContent ?? '') ?? [];
      return [id, shown] as const;
    })
    .catch(() => undefined);

const place = (page: Page): Promise<number> =>
  page.evaluate<number>('navigation.currentEntry.index').catch(() => -1);

for (const seed of [1, 3])
  test(`on random way ${seed} the profile is the one of the address after each of 14 steps`, async ({
    page,
  }) => {
    let state = seed;
    const pick = <Item>(items: readonly Item[]): Item => {
      state = Math.imul(state, 48_271) & 0x7fffffff;
      return items[state % items.length]!;
    };
    let held = false;
    await page.route('/challenge', (route) => (held ? undefined : route.fallback()));
    await page.goto('/');
    const first = await place(page);
    const submitAnother = async (): Promise<void> => {
      const present = await idField(page).inputValue();
      await submitId(page, pick([marlow.id, plough.id, ids.animated].filter((id) => id !== present)));
    };
    const go = (by: number) => async (): Promise<void> => {
      const to = (await place(page)) + by;
      if (to < first || to >= (await page.evaluate<number>('navigation.entries().length'))) return;
      await page.evaluate((places) => history.go(places), by);
      await expect.poll(() => place(page)).toBe(to);
    };
    const lookUpAnother = async (): Promise<void> => {
      await submitAnother();
      const hasText = await idField(page).inputValue();
      await card(page).filter({ hasText }).waitFor();
    };
    const steps = {
      lookUpAnother,
      'go(-1)': go(-1),
      'go(1)': go(1),
      'go(-2)': go(-2),
      cancel: async (): Promise<void> => {
        held = true;
        await submitAnother();
        await expect(page.getByRole('dialog')).toHaveCount(1);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
        held = false;
      },
      hash: () => page.evaluate(() => void (location.hash = `#${performance.now()}`)),
      reload: async (): Promise<void> => void (await page.reload()),
    };
    const way: string[] = [];
    await lookUpAnother();
    for (let step = 0; step < 14; step += 1) {
      const [name, take] = pick(Object.entries(steps));
      way.push(name);
      await take();
      await expect
        .poll(async () => {
          const [id, shown] = (await shownAt(page)) ?? ['loading'];
          return shown === id;
        }, way.join())
        .toBe(true);
    }
  });
