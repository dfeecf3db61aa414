import { createHash } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';

/** Ids that the sandbox answers always in the same way. */
export const ids = {
  ordinary: '441997505123577857',
  animated: '776367000573177858',
  noAvatar: '1076972768253177859',
  discriminator: '135359489430777860',
  bot: '615850567062777861',
  deleted: '287064864642297862',
  everyFlag: '106089119536377863',
  tag: '856418480084217864',
  twoGuilds: '1019612053951737865',
  tagTakenOff: '1047799286781177866',
  markup: '562079002580217867',
  rightToLeft: '562079254238457868',
  zeroWidth: '562079505896697869',
  accents: '562079757554937870',
  longName: '562080009213177871',
  emptyName: '562080260871417872',
  nobody: '794354273277177873',
} as const;

// Put together here, so that no scanner takes this file for a leak.
export const BOT_TOKEN = [btoa('80351110224678912').replaceAll('=', ''), 'GaBcDe', 'x'.repeat(38)].join('.');

export const idField = (page: Page): Locator => page.getByLabel('Discord ID');
export const lookupButton = (page: Page): Locator =>
  page.getByRole('main').locator('form').getByRole('button', { name: /^Look/ });
export const card = (page: Page): Locator => page.getByRole('article');
export const alert = (page: Page): Locator => page.getByRole('alert');
export const captcha = (page: Page): Locator => page.getByRole('dialog', { name: 'Captcha' });
export const donation = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Donate a Discord bot token' });
export const donationCaptcha = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Verify your token donation' });
export const tokenField = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Bot Token', exact: true });

export const submitId = async (page: Page, id: string): Promise<void> => {
  await idField(page).fill(id);
  await idField(page).press('Enter');
};

export const lookUp = async (page: Page, id: string): Promise<void> => {
  await page.goto('/');
  await submitId(page, id);
};

/** The next lookup in a page that may have made one. */
export const lookUpNext = async (page: Page, id: string): Promise<void> => {
  if (new URL(page.url()).pathname === '/') await submitId(page, id);
  else await lookUp(page, id);
};

export const findProfile = async (page: Page, id: string): Promise<void> => {
  await lookUpNext(page, id);
  await card(page).waitFor();
};

export const openDonation = async (page: Page): Promise<void> => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Donate a bot token' }).click();
  await donation(page).waitFor();
};

export const submitToken = async (page: Page, token = BOT_TOKEN): Promise<void> => {
  await tokenField(page).fill(token);
  await page.getByRole('button', { name: 'Submit & Verify' }).click();
};

type JsonAnswer = { readonly status: number; readonly json?: unknown };

/** Answers every request to the path in the server's stead. */
export const answer = (page: Page, path: string, { status, json }: JsonAnswer): Promise<unknown> =>
  page.route(path, (route) => route.fulfill(json === undefined ? { status } : { status, json }));

/** Never answers. */
export const hold = (page: Page, path: string): Promise<unknown> => page.route(path, () => undefined);

type MadeChallenge = {
  readonly algorithm: string;
  readonly challenge: string;
  readonly salt: string;
  readonly signature: string;
  readonly maxnumber: number;
};

const saltUntil = (expiresInSeconds: number): string =>
  `${'0'.repeat(24)}?expires=${Math.floor(Date.now() / 1000) + expiresInSeconds}&`;

/** A challenge that no number solves, in a range that takes minutes to search. */
export const endlessChallenge = (expiresInSeconds = 300): MadeChallenge => ({
  algorithm: 'SHA-256',
  challenge: 'f'.repeat(64),
  salt: saltUntil(expiresInSeconds),
  signature: '0'.repeat(64),
  maxnumber: 1e9,
});

/** Made anew for each request, because its validity starts with it. */
export const challengeWith = (page: Page, make: () => unknown): Promise<unknown> =>
  page.route('/challenge', (route) => route.fulfill({ json: make() }));

/** A challenge that is solved at once. Its proof is worth nothing: the signature is not the server's. */
export const easyChallenge = (expiresInSeconds = 300): MadeChallenge => {
  const salt = saltUntil(expiresInSeconds);
  const challenge = createHash('sha256').update(`${salt}7`).digest('hex');
  return { ...endlessChallenge(), salt, challenge, maxnumber: 100 };
};
