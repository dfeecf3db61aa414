import type { Page } from '@playwright/test';
import type { Status } from '#shared/contract/status.ts';
import { GONE, withdraw, withdrawalCaptcha } from './donor.ts';
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
  lookUpNext,
  openDonation,
  submitToken,
} from './visitor.ts';

/** One screen in one state. */
export type Scene = {
  readonly name: string;
  /** Resolves when all of it is there. The page may have shown another scene of the same group before. */
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
  at('privacy', '/privacy'),
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

const profiles: readonly Scene[] = [
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
];

const names: readonly Scene[] = [
  found('name-markup', ids.markup),
  found('name-right-to-left', ids.rightToLeft),
  found('name-zero-width', ids.zeroWidth),
  found('name-accents', ids.accents),
  found('name-long', ids.longName),
  found('name-empty', ids.emptyName),
  opened('images', 'Image sizes and formats'),
  opened('raw-json', 'Raw JSON'),
  {
    name: 'loading',
    open: async (page) => {
      await hold(page, '/lookup');
      await lookUpNext(page, ids.ordinary);
      await page.getByRole('button', { name: 'Looking up…' }).waitFor();
    },
  },
];

const failed = (code: string, { status, ...body }: Failure): Scene => ({
  name: `failed-${code}`,
  logs: new RegExp(`status of ${status} .*/lookup$`),
  open: async (page) => {
    await answer(page, '/lookup', { status, json: { code, ...body } });
    await lookUpNext(page, ids.ordinary);
    await alert(page).waitFor();
  },
});

type Failure = { readonly status: number; readonly error: string; readonly retry_after?: number };

const failures: readonly Scene[] = [
  {
    name: 'not-found',
    logs: /status of 404 .*\/lookup$/,
    open: async (page) => {
      await lookUpNext(page, ids.nobody);
      await alert(page).waitFor();
    },
  },
  {
    name: 'failed-empty-id',
    open: async (page) => {
      await lookUpNext(page, '');
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
      await lookUpNext(page, ids.ordinary);
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

const status: Status = {
  tokens: { healthy: 1_234, cooling: 5, retired: 67 },
  lookups_last_hour: { served: 8_901, refused: 12 },
  last_retirement: '2026-09-30T04:05:06.000Z',
  donations_needed: false,
};

const statusOf = (name: string, json: Status, sign: string): Scene => ({
  name: `status-${name}`,
  open: async (page) => {
    await answer(page, '/status.json', { status: 200, json });
    await page.goto('/status');
    await page.getByText(sign).waitFor();
  },
});

const statuses: readonly Scene[] = [
  statusOf('healthy', status, 'Not right now'),
  statusOf(
    'donations-needed',
    { ...status, tokens: { healthy: 0, cooling: 1, retired: 4 }, donations_needed: true },
    'Yes: few are left',
  ),
  {
    name: 'status-loading',
    open: async (page) => {
      await hold(page, '/status.json');
      await page.goto('/status');
    },
  },
  {
    name: 'status-failed',
    logs: /ERR_FAILED .*\/status\.json$/,
    open: async (page) => {
      await page.route('/status.json', (route) => route.abort());
      await page.goto('/status');
      await alert(page).waitFor();
    },
  },
];

type Withdrawal = { readonly status: number; readonly json: object; readonly sign: string };

const withdrawn = (name: string, { sign, ...answered }: Withdrawal): Scene => ({
  name: `withdrawal-${name}`,
  ...(answered.status >= 400 && { logs: new RegExp(`status of ${answered.status} .*/withdraw-token$`) }),
  open: async (page) => {
    await answer(page, '/withdraw-token', answered);
    await page.goto('/token-donation');
    await withdraw(page, 'WD-7H2KQ-9XRTM-4VBNC');
    await alert(page).filter({ hasText: sign }).waitFor();
  },
});

const withdrawals: readonly Scene[] = [
  withdrawn('accepted', { status: 200, json: { message: GONE }, sign: GONE }),
  withdrawn('mistyped', {
    status: 422,
    json: { error: 'This is neither a receipt nor a bot token.', code: 'withdrawal-malformed' },
    sign: 'neither a receipt',
  }),
  withdrawn('too-many', {
    status: 429,
    json: {
      error: 'You have made too many requests. Please wait a moment.',
      code: 'visitor-limit',
      retry_after: 90,
    },
    sign: 'try again in',
  }),
  {
    name: 'withdrawal-empty',
    open: async (page) => {
      await page.goto('/token-donation');
      await withdraw(page, '');
      await alert(page).waitFor();
    },
  },
  {
    name: 'withdrawal-captcha',
    open: async (page) => {
      await hold(page, '/challenge');
      await page.goto('/token-donation');
      await withdraw(page, 'WD-7H2KQ-9XRTM-4VBNC');
      await withdrawalCaptcha(page).getByRole('checkbox').waitFor();
    },
  },
];

/** By what a page can show one after the other. */
export const sceneGroups: Readonly<Record<string, readonly Scene[]>> = {
  pages,
  profiles,
  names,
  failures,
  modals,
  statuses,
  withdrawals,
};
