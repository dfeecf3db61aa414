import type { Page } from '@playwright/test';
import { challengeEndlessly } from '../support/challenges.ts';
import {
  BOT_TOKEN,
  GONE,
  leavingQuestion,
  openDonation,
  submitToken,
  withdraw,
} from '../support/donation-forms.ts';
import { goToInteractive } from '../support/interactive.ts';
import { alert, captcha, card, findProfile, idField, ids, lookUp, submitId } from '../support/lookup-page.ts';
import { answer, hold, withoutTexts } from '../support/server-answers.ts';
import { STATUS } from '../support/status.ts';

/** One screen in one state. No two have the same parts with other words only. */
export type Scene = {
  readonly name: string;
  /** Resolves when all of it is there. */
  readonly open: (page: Page) => Promise<unknown>;
  /** The errors that the browser logs on the way, because the scene is about them. */
  readonly logs?: RegExp;
};

const scene = (name: string, open: Scene['open']): Scene => ({ name, open });
const failing = (name: string, logs: RegExp, open: Scene['open']): Scene => ({ name, logs, open });

const at = (name: string, path: string): Scene =>
  scene(name, (page) =>
    goToInteractive(page, path, ['/', '/token-donation'].includes(path) ? 'app' : 'frame'),
  );

const pages: readonly Scene[] = [
  at('lookup', '/'),
  at('token-donation', '/token-donation'),
  at('donate', '/donate'),
  at('contact', '/contact'),
  at('privacy', '/privacy'),
  at('help', '/help'),
  failing('page-not-found', /status of 404/, (page) => goToInteractive(page, '/no/such/page', 'frame')),
  scene('bot-token-pasted', async (page) => {
    await page.goto('/');
    await page.getByText('More samples to try').click();
    await page.getByText('Where do I find an ID?').click();
    await idField(page).fill(BOT_TOKEN);
    await alert(page).waitFor();
  }),
  failing('unexpected-error', /of undefined/, async (page) => {
    await withoutTexts(page, 'export');
    await lookUp(page, ids.ordinary);
    await page.getByRole('heading', { name: 'Unexpected Application Error!' }).waitFor();
  }),
  scene('status', async (page) => {
    await answer(page, '/status.json', { status: 200, json: STATUS });
    await goToInteractive(page, '/status', 'app');
    await page.getByRole('table').waitFor();
  }),
];

const found = (name: string, id: string): Scene =>
  scene(`result-${name}`, async (page) => {
    await findProfile(page, id);
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  });

const profiles: readonly Scene[] = [
  found('animated', ids.animated),
  found('no-avatar', ids.noAvatar),
  found('every-flag', ids.everyFlag),
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
  scene('loading', async (page) => {
    await hold(page, '/lookup');
    const sent = page.waitForRequest((request) => request.url().endsWith('/lookup'));
    await lookUp(page, ids.ordinary);
    await sent;
    await captcha(page).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
  }),
];

const RECEIPT = 'WD-7H2KQ-9XRTM-4VBNC-8PWEZ-3JYGD-5S';
const TOO_MANY = { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: 90 };
const NO_TOKENS = { error: 'Lookups are down: we’ve run out of bot tokens.', code: 'pool-empty' };

const failed = (name: string, status: number, json: object): Scene =>
  failing(name, new RegExp(`status of ${status} .*/lookup$`), async (page) => {
    await answer(page, '/lookup', { status, json });
    await lookUp(page, ids.nobody);
    await alert(page).waitFor();
  });

const failures: readonly Scene[] = [
  failed('not-found', 404, { id: ids.nobody, created_utc: '2021-01-01T00:00:17Z' }),
  failed('failed-visitor-limit', 429, TOO_MANY),
  failed('failed-pool-empty', 503, NO_TOKENS),
];

const recents: Scene = scene('recents', async (page) => {
  await findProfile(page, ids.ordinary);
  await page.getByRole('button', { name: 'Keep recent lookups' }).click();
  for (const id of [ids.animated, ids.longName, ids.bot]) {
    await submitId(page, id);
    await page.getByRole('listitem').getByText(id).waitFor();
  }
  await page.goto('/');
  await page.getByRole('region', { name: 'Recent lookups' }).waitFor();
});

const forms: readonly Scene[] = [
  scene('captcha', async (page) => {
    await challengeEndlessly(page);
    await lookUp(page, ids.ordinary);
    await captcha(page).getByRole('checkbox').waitFor();
  }),
  failing('captcha-refused', /429/, async (page) => {
    await answer(page, '/challenge', { status: 429, json: TOO_MANY });
    await lookUp(page, ids.ordinary);
    await captcha(page).getByRole('alert').waitFor();
  }),
  scene('donation', openDonation),
  scene('donation-saved', async (page) => {
    await answer(page, '/donate-token', { status: 201, json: { receipt: RECEIPT } });
    await openDonation(page);
    await submitToken(page);
    await alert(page).waitFor();
  }),
  scene('donation-leaving-receipt', async (page) => {
    await answer(page, '/donate-token', { status: 201, json: { receipt: RECEIPT } });
    await openDonation(page);
    await submitToken(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await leavingQuestion(page).waitFor();
  }),
  scene('withdrawal', async (page) => {
    await answer(page, '/withdraw-token', { status: 200, json: { message: GONE } });
    await goToInteractive(page, '/token-donation', 'frame');
    await withdraw(page, RECEIPT);
    await alert(page).waitFor();
  }),
];

export const allScenes: readonly Scene[] = [...pages, ...profiles, ...failures, recents, ...forms];
