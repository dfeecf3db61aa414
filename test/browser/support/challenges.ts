import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';

const saltUntil = (expiresInSeconds: number): string =>
  `${'0'.repeat(24)}?expires=${Math.floor(Date.now() / 1000) + expiresInSeconds}&`;

/** A challenge that no number solves, in a range that takes minutes to search. */
export const endlessChallenge = (expiresInSeconds = 300) => ({
  algorithm: 'SHA-256',
  challenge: 'f'.repeat(64),
  salt: saltUntil(expiresInSeconds),
  signature: '0'.repeat(64),
  maxnumber: 1e12,
});

/** A challenge that is solved at once. Its proof is worth nothing: the signature is not the server's. */
export const easyChallenge = (expiresInSeconds = 300) => {
  const salt = saltUntil(expiresInSeconds);
  const challenge = createHash('sha256').update(`${salt}7`).digest('hex');
  return { ...endlessChallenge(), salt, challenge, maxnumber: 100 };
};

/** Runs in the page: nothing is searched for, which would take the machine from all that runs beside it. */
const idleOverNothing = (): void => {
  globalThis.Worker = class extends Worker {
    override postMessage(message: { readonly payload?: { readonly challenge?: string } }): void {
      if (message.payload?.challenge !== 'f'.repeat(64)) super.postMessage(message, []);
    }
  };
};

type Endlessly = { readonly times?: number; readonly expiresInSeconds?: number; readonly algorithm?: string };

/** Before the page is opened: its next requests for a challenge, or all, get one that is never solved. */
export const challengeEndlessly = async (
  page: Page,
  { times, expiresInSeconds = 300, algorithm = 'SHA-256' }: Endlessly = {},
): Promise<void> => {
  await page.addInitScript(idleOverNothing);
  const json = { ...endlessChallenge(expiresInSeconds), algorithm };
  await page.route('/challenge', (route) => route.fulfill({ json }), times === undefined ? {} : { times });
};
