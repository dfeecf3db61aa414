import type { Page } from '@playwright/test';
import { walkEach, walkInTurn, type SpecRow } from './spec-walk.ts';
import { expect } from './support.ts';
import {
  alert,
  answer,
  BOT_TOKEN,
  captcha,
  card,
  donation,
  donationCaptcha,
  endlessChallenge,
  idField,
  ids,
  lookUp,
  openDonation,
  submitToken,
  tokenField,
} from './visitor.ts';

const FAILED = 'Verification failed. Please try again.';

const callsOf = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (['/challenge', '/lookup', '/donate-token'].includes(pathname)) calls.push(pathname);
  });
  return calls;
};

/** Lets the request through with less in its body. */
const sendWithoutProof = (page: Page, path: string): Promise<unknown> =>
  page.route(path, (route) => {
    const { proof: _, ...rest } = route.request().postDataJSON() as Record<string, string>;
    return route.continue({ postData: rest });
  });

const refusedChallenge = (rule: string, change: Record<string, unknown>, logged: RegExp): SpecRow => ({
  row: `5 / challenge validity: ${rule}`,
  check: async ({ page, problems }) => {
    problems.expect(logged);
    await answer(page, '/challenge', { status: 200, json: { ...endlessChallenge(), ...change } });
    await lookUp(page, ids.ordinary);
    await expect(captcha(page).getByRole('alert')).toHaveText(FAILED);
  },
});

walkInTurn('5 / validation', [
  {
    row: '5 / empty (trimmed) id: "Enter a {product} snowflake to lookup.", no call is made',
    check: async ({ page }) => {
      const calls = callsOf(page);
      await lookUp(page, '   ');
      await expect(alert(page)).toHaveText('Enter a Discord snowflake to lookup.');
      await expect(idField(page)).toBeFocused();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      expect(calls).toEqual([]);
    },
  },
  {
    row: '5 / lookup without captcha proof: "Complete the Altcha challenge to continue."',
    check: async ({ page, problems }) => {
      problems.expect(/status of 400 .*\/lookup$/);
      await sendWithoutProof(page, '/lookup');
      await lookUp(page, ids.ordinary);
      await expect(alert(page)).toContainText('Complete the Altcha challenge to continue.');
    },
  },
  {
    row: '5 / empty token on donation: "Enter a {product} bot token before submitting."',
    check: async ({ page }) => {
      const calls = callsOf(page);
      await openDonation(page);
      await submitToken(page, '  ');
      await expect(donation(page).getByRole('alert')).toHaveText(
        'Enter a Discord bot token before submitting.',
      );
      await expect(tokenField(page)).toBeFocused();
      await expect(donationCaptcha(page)).toHaveCount(0);
      expect(calls).toEqual([]);
    },
  },
  {
    row: '5 / donation without proof: "Complete the Altcha challenge to donate your token."',
    check: async ({ page, problems }) => {
      problems.expect(/status of 403 .*\/donate-token$/);
      const error = 'Complete the Altcha challenge to donate your token.';
      await answer(page, '/donate-token', { status: 403, json: { error, code: 'proof-missing' } });
      await openDonation(page);
      await submitToken(page);
      await expect(donation(page).getByRole('alert')).toContainText(error);
    },
  },
  {
    row: '5 / captcha modal, verified event without payload: "Verification did not return a token. Please retry."',
    check: async ({ page }) => {
      await answer(page, '/challenge', { status: 200, json: endlessChallenge() });
      await lookUp(page, ids.ordinary);
      await page.getByRole('checkbox', { name: 'Verifying... please wait.' }).waitFor();
      await page
        .locator('altcha-widget')
        .evaluate((widget) => widget.dispatchEvent(new CustomEvent('verified', { detail: {} })));
      await expect(captcha(page).getByRole('alert')).toHaveText(
        'Verification did not return a token. Please retry.',
      );
    },
  },
  {
    row: '5 / captcha error event: its message',
    check: async ({ page, problems }) => {
      problems.expect(/429/);
      const error = 'You have made too many requests.';
      await answer(page, '/challenge', { status: 429, json: { error, code: 'visitor-limit' } });
      await lookUp(page, ids.ordinary);
      await expect(captcha(page).getByRole('alert')).toContainText(error);
    },
  },
  {
    row: '5 / captcha error event: or "Verification failed. Please try again."',
    check: async ({ page, problems }) => {
      problems.expect(/502/);
      await answer(page, '/challenge', { status: 502 });
      await lookUp(page, ids.ordinary);
      await expect(captcha(page).getByRole('alert')).toHaveText(FAILED);
    },
  },
  {
    row: '5 / ids and tokens are trimmed before sending',
    check: async ({ page }) => {
      const sent: unknown[] = [];
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataJSON()));
      await answer(page, '/donate-token', { status: 201 });
      await lookUp(page, `\t${ids.ordinary} `);
      await card(page).waitFor();
      await openDonation(page);
      await submitToken(page, ` ${BOT_TOKEN}\t`);
      await donation(page).getByRole('alert').waitFor();
      expect(sent).toEqual([
        expect.objectContaining({ discord_id: ids.ordinary }),
        expect.objectContaining({ token: BOT_TOKEN }),
      ]);
    },
  },
]);

walkInTurn('5 / challenge validity', [
  refusedChallenge(
    'algorithm is one of SHA-256, SHA-384, SHA-512',
    { algorithm: 'SHA-1' },
    /Unknown algorithm/,
  ),
  refusedChallenge('signature present', { signature: undefined }, /signature is missing/),
  refusedChallenge(
    'challenge at least 40 characters',
    { challenge: 'f'.repeat(39) },
    /Challenge is too short/,
  ),
  refusedChallenge('salt at least 10 characters', { salt: '0'.repeat(9) }, /Salt is too short/),
]);

walkEach([
  {
    row: '5 / widget not loaded after 1.2 s: "captcha widget took too long to load. Check your connection and retry."',
    check: async ({ page }) => {
      await page.clock.install();
      await page.route(/altcha-widget.*\.js/, () => undefined);
      await lookUp(page, ids.ordinary);
      await expect(captcha(page)).toContainText('Loading...');
      await expect(captcha(page).getByRole('alert')).toHaveCount(0);
      await page.clock.runFor(1_200);
      await expect(captcha(page).getByRole('alert')).toHaveText(
        'captcha widget took too long to load. Check your connection and retry.',
      );
    },
  },
]);
