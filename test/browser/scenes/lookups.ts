import { alert, captcha, card, findProfile, ids, lookUp, submitId } from '../support/lookup-page.ts';
import { answer, hold } from '../support/server-answers.ts';
import { failing, scene, type Scene } from './scene.ts';

const found = (name: string, id: string): Scene => ({
  name: `result-${name}`,
  open: async (page) => {
    await findProfile(page, id);
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  },
});

const profiles: readonly Scene[] = [
  found('ordinary', ids.ordinary),
  found('animated', ids.animated),
  found('no-avatar', ids.noAvatar),
  found('every-flag', ids.everyFlag),
  found('two-guilds', ids.twoGuilds),
  found('name-right-to-left', ids.rightToLeft),
  scene('result-details', async (page) => {
    await findProfile(page, ids.animated);
    await card(page).locator('summary', { hasText: 'Details' }).click();
    await card(page).getByRole('button', { name: 'Copy date' }).click();
  }),
  scene('result-export', async (page) => {
    await findProfile(page, ids.animated);
    await card(page).getByRole('button', { name: 'Export' }).click();
  }),
  failing('result-without-pictures', /ERR_FAILED/, async (page) => {
    await page.route(/\/(?:avatars|banners|avatar-decoration-presets|assets\/collectibles)\//, (route) =>
      route.abort(),
    );
    await findProfile(page, ids.animated);
    await card(page).locator('[data-initials=AQ]').waitFor();
  }),
  scene('loading', async (page) => {
    await hold(page, '/lookup');
    const sent = page.waitForRequest((request) => request.url().endsWith('/lookup'));
    await lookUp(page, ids.ordinary);
    await sent;
    await captcha(page).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
  }),
];

const failed = (code: string, status: number, body: object): Scene => ({
  name: `failed-${code}`,
  logs: new RegExp(`status of ${status} .*/lookup$`),
  open: async (page) => {
    await answer(page, '/lookup', { status, json: { code, ...body } });
    await lookUp(page, ids.ordinary);
    await alert(page).waitFor();
  },
});

const failures: readonly Scene[] = [
  failing('not-found', /status of 404 .*\/lookup$/, async (page) => {
    await lookUp(page, ids.nobody);
    await alert(page).waitFor();
  }),
  scene('failed-empty-id', async (page) => {
    await lookUp(page, '');
    await alert(page).waitFor();
  }),
  failing('failed-unreachable', /ERR_FAILED .*\/lookup$/, async (page) => {
    await page.route('/lookup', (route) => route.abort());
    await lookUp(page, ids.ordinary);
    await alert(page).waitFor();
  }),
  failed('visitor-limit', 429, { error: 'You have made too many requests.', retry_after: 40 }),
  failed('pool-empty', 503, {
    error: 'Lookups are down: we’ve run out of bot tokens. You can help by donating one.',
  }),
];

const recents: Scene = {
  name: 'recents-compared',
  open: async (page) => {
    await findProfile(page, ids.ordinary);
    await page.getByRole('button', { name: 'Keep recent lookups' }).click();
    for (const id of [ids.animated, ids.longName, ids.bot]) {
      await submitId(page, id);
      await page.getByRole('listitem').getByText(id).waitFor();
    }
    await page.goto('/');
    await page.getByRole('button', { name: 'Compare two' }).click();
    for (const name of [/^Marlow Finch/, /^Aurora/])
      await page.getByRole('listitem').getByRole('button', { name }).click();
    await page.getByRole('table').waitFor();
  },
};

export const lookups: readonly Scene[] = [...profiles, ...failures, recents];
