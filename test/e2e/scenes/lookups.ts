import { alert, captcha, card, findProfile, ids, lookUp } from '../support/lookup-page.ts';
import { answer, hold } from '../support/server-answers.ts';
import type { Scene } from './scene.ts';

const found = (name: string, id: string): Scene => ({
  name: `result-${name}`,
  open: async (page) => {
    await findProfile(page, id);
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  },
});

const opened = (name: string, summary: string): Scene => ({
  name: `result-${name}`,
  open: async (page) => {
    await findProfile(page, ids.animated);
    await card(page).getByText(summary, { exact: true }).click();
  },
});

export const profiles: readonly Scene[] = [
  found('ordinary', ids.ordinary),
  found('animated', ids.animated),
  found('no-avatar', ids.noAvatar),
  found('discriminator', ids.discriminator),
  found('bot', ids.bot),
  found('system', ids.system),
  found('every-flag', ids.everyFlag),
  found('tag', ids.tag),
  found('two-guilds', ids.twoGuilds),
  found('tag-taken-off', ids.tagTakenOff),
  found('deleted', ids.deleted),
];

export const names: readonly Scene[] = [
  found('name-markup', ids.markup),
  found('name-right-to-left', ids.rightToLeft),
  found('name-zero-width', ids.zeroWidth),
  found('name-accents', ids.accents),
  found('name-long', ids.longName),
  found('name-empty', ids.emptyName),
  opened('details', 'Details'),
  opened('export', 'Export'),
  {
    name: 'result-date',
    open: async (page) => {
      await findProfile(page, ids.animated);
      await card(page).getByRole('button', { name: 'Copy date' }).click();
    },
  },
  {
    name: 'result-without-pictures',
    logs: /ERR_FAILED/,
    open: async (page) => {
      await page.route(/\/(?:avatars|banners|avatar-decoration-presets|assets\/collectibles)\//, (route) =>
        route.abort(),
      );
      await findProfile(page, ids.animated);
      await card(page).locator('[data-initials=AQ]').waitFor();
    },
  },
  {
    name: 'loading',
    open: async (page) => {
      await hold(page, '/lookup');
      await lookUp(page, ids.ordinary);
      await captcha(page).waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Cancel' }).waitFor();
    },
  },
];

const failed = (code: string, { status, ...body }: Failure): Scene => ({
  name: `failed-${code}`,
  logs: new RegExp(`status of ${status} .*/lookup$`),
  open: async (page) => {
    await answer(page, '/lookup', { status, json: { code, ...body } });
    await lookUp(page, ids.ordinary);
    await alert(page).waitFor();
  },
});

type Failure = { readonly status: number; readonly error: string; readonly retry_after?: number };

export const failures: readonly Scene[] = [
  {
    name: 'not-found',
    logs: /status of 404 .*\/lookup$/,
    open: async (page) => {
      await lookUp(page, ids.nobody);
      await alert(page).waitFor();
    },
  },
  {
    name: 'failed-empty-id',
    open: async (page) => {
      await lookUp(page, '');
      await alert(page).waitFor();
    },
  },
  failed('visitor-limit', {
    status: 429,
    error: 'You have made too many requests.',
    retry_after: 40,
  }),
  failed('pool-busy', {
    status: 503,
    error: 'All our lookup tokens are busy. Please try again in a moment.',
    retry_after: 3_000,
  }),
  failed('pool-empty', {
    status: 503,
    error: "We're out of working lookup tokens. Donate a bot token to bring lookups back.",
  }),
  failed('platform-failed', {
    status: 502,
    error: "Discord isn't answering properly. Please try again.",
  }),
  failed('platform-timeout', { status: 504, error: 'Discord took too long to answer. Please try again.' }),
  failed('platform-paused', {
    status: 503,
    error: 'Lookups are paused because Discord is rejecting our requests. Please try again later.',
    retry_after: 3_600,
  }),
  failed('proof-expired', { status: 403, error: 'The captcha has expired. Please complete it again.' }),
  {
    name: 'failed-unreachable',
    logs: /ERR_FAILED .*\/lookup$/,
    open: async (page) => {
      await page.route('/lookup', (route) => route.abort());
      await lookUp(page, ids.ordinary);
      await alert(page).waitFor();
    },
  },
];
