import type { Page } from '@playwright/test';
import {
  alert,
  answer,
  BOT_TOKEN,
  captcha,
  card,
  donation,
  donationCaptcha,
  endlessChallenge,
  findProfile,
  hold,
  idField,
  ids,
  lookUp,
  openDonation,
  submitToken,
} from './visitor.ts';

/** One screen in one state. */
export type Scene = {
  readonly name: string;
  /** Resolves when all of it is there. */
  readonly open: (page: Page) => Promise<unknown>;
  /** The errors that the browser logs on the way, because the scene is about them. */
  readonly logs?: RegExp;
};

const at = (name: string, path: string): Scene => ({ name, open: (page) => page.goto(path) });

const pages: readonly Scene[] = [
  at('lookup', '/'),
  at('token-donation', '/token-donation'),
  at('donate', '/donate'),
  at('contact', '/contact'),
  { ...at('page-not-found', '/no/such/page'), logs: /status of 404/ },
  {
    name: 'shared-link',
    open: async (page) => {
      await page.goto(`/?id=${ids.ordinary}`);
      await page.getByText('4 May 2018').waitFor();
    },
  },
  {
    name: 'sample-ids',
    open: async (page) => {
      await page.goto('/');
      await page.getByText('Sample IDs to try').click();
    },
  },
  {
    name: 'bot-token-pasted',
    open: async (page) => {
      await page.goto('/');
      await idField(page).fill(BOT_TOKEN);
      await alert(page).waitFor();
    },
  },
  {
    name: 'unexpected-error',
    logs: /Cannot read properties/,
    open: async (page) => {
      await answer(page, '/lookup', { status: 200, json: {} });
      await lookUp(page, ids.ordinary);
      await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
    },
  },
];

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

const results: readonly Scene[] = [
  {
    name: 'loading',
    open: async (page) => {
      await hold(page, '/lookup');
      await lookUp(page, ids.ordinary);
      await page.getByRole('button', { name: 'Looking up…' }).waitFor();
    },
  },
  found('ordinary', ids.ordinary),
  found('animated', ids.animated),
  found('no-avatar', ids.noAvatar),
  found('discriminator', ids.discriminator),
  found('bot', ids.bot),
  found('every-flag', ids.everyFlag),
  found('tag', ids.tag),
  found('two-guilds', ids.twoGuilds),
  found('tag-taken-off', ids.tagTakenOff),
  found('deleted', ids.deleted),
  found('name-markup', ids.markup),
  found('name-right-to-left', ids.rightToLeft),
  found('name-zero-width', ids.zeroWidth),
  found('name-accents', ids.accents),
  found('name-long', ids.longName),
  found('name-empty', ids.emptyName),
  opened('images', 'Image sizes and formats'),
  opened('raw-json', 'Raw JSON'),
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

const failures: readonly Scene[] = [
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
    error: 'You have made too many requests. Please wait a moment.',
    retry_after: 40,
  }),
  failed('pool-busy', {
    status: 503,
    error: 'All lookup tokens are busy. Please try again in a moment.',
    retry_after: 3_000,
  }),
  failed('pool-empty', {
    status: 503,
    error: 'No working lookup token is left. Donate a bot token to bring lookups back.',
  }),
  failed('platform-failed', {
    status: 502,
    error: 'Discord did not give a usable answer. Please try again.',
  }),
  failed('platform-timeout', { status: 504, error: 'Discord took too long to answer. Please try again.' }),
  failed('platform-paused', {
    status: 503,
    error: 'Lookups are paused because Discord turns our requests away. Please try again later.',
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

const donated = (name: string, status: number, json: object): Scene => ({
  name: `donation-${name}`,
  ...(status >= 400 && { logs: new RegExp(`status of ${status} .*/donate-token$`) }),
  open: async (page) => {
    await answer(page, '/donate-token', { status, json });
    await openDonation(page);
    await submitToken(page);
    await donation(page).getByRole('alert').waitFor();
  },
});

const modals: readonly Scene[] = [
  {
    name: 'captcha',
    open: async (page) => {
      await answer(page, '/challenge', { status: 200, json: endlessChallenge() });
      await lookUp(page, ids.ordinary);
      await captcha(page).getByRole('checkbox').waitFor();
    },
  },
  {
    name: 'captcha-refused',
    logs: /429/,
    open: async (page) => {
      const json = { error: 'You have made too many requests. Please wait a moment.', retry_after: 40 };
      await answer(page, '/challenge', { status: 429, json });
      await lookUp(page, ids.ordinary);
      await captcha(page).getByRole('alert').waitFor();
    },
  },
  { name: 'donation', open: openDonation },
  {
    name: 'donation-captcha',
    open: async (page) => {
      await hold(page, '/challenge');
      await openDonation(page);
      await submitToken(page);
      await donationCaptcha(page).getByRole('checkbox').waitFor();
    },
  },
  {
    name: 'donation-empty',
    open: async (page) => {
      await openDonation(page);
      await submitToken(page, '');
      await donation(page).getByRole('alert').waitFor();
    },
  },
  donated('saved', 201, { receipt: 'wf-0f8a6c2d4e1b4f7793b5a1c0d2e3f405' }),
  donated('failed', 422, { error: 'This is not a valid bot token.' }),
];

export const scenes: readonly Scene[] = [...pages, ...results, ...failures, ...modals];
