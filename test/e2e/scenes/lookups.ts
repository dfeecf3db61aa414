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

const pictureOf = (name: string, id: string): Scene => ({ ...found(name, id), pictureOnly: true });

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
  pictureOf('discriminator', ids.discriminator),
  found('bot', ids.bot),
  pictureOf('system', ids.system),
  found('every-flag', ids.everyFlag),
  pictureOf('tag', ids.tag),
  found('two-guilds', ids.twoGuilds),
  pictureOf('tag-taken-off', ids.tagTakenOff),
  pictureOf('deleted', ids.deleted),
];

export const names: readonly Scene[] = [
  pictureOf('name-markup', ids.markup),
  found('name-right-to-left', ids.rightToLeft),
  pictureOf('name-zero-width', ids.zeroWidth),
  pictureOf('name-accents', ids.accents),
  found('name-long', ids.longName),
  pictureOf('name-empty', ids.emptyName),
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

const failed = (code: string, { status, pictureOnly, ...body }: Failure): Scene => ({
  name: `failed-${code}`,
  ...(pictureOnly && { pictureOnly }),
  logs: new RegExp(`status of ${status} .*/lookup$`),
  open: async (page) => {
    await answer(page, '/lookup', { status, json: { code, ...body } });
    await lookUp(page, ids.ordinary);
    await alert(page).waitFor();
  },
});

type Failure = Pick<Scene, 'pictureOnly'> & {
  readonly status: number;
  readonly error: string;
  readonly retry_after?: number;
};

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
    pictureOnly: true,
  }),
  failed('pool-empty', {
    status: 503,
    error: "We're out of working lookup tokens. Donate a bot token to bring lookups back.",
  }),
  failed('platform-failed', {
    status: 502,
    error: "Discord isn't answering properly. Please try again.",
    pictureOnly: true,
  }),
  failed('platform-timeout', {
    status: 504,
    error: 'Discord took too long to answer. Please try again.',
    pictureOnly: true,
  }),
  failed('platform-paused', {
    status: 503,
    error: 'Lookups are paused because Discord is rejecting our requests. Please try again later.',
    retry_after: 3_600,
    pictureOnly: true,
  }),
  failed('proof-expired', {
    status: 403,
    error: 'The captcha has expired. Please complete it again.',
    pictureOnly: true,
  }),
  {
    name: 'failed-unreachable',
    pictureOnly: true,
    logs: /ERR_FAILED .*\/lookup$/,
    open: async (page) => {
      await page.route('/lookup', (route) => route.abort());
      await lookUp(page, ids.ordinary);
      await alert(page).waitFor();
    },
  },
];
