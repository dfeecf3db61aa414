import type { Locator, Page } from '@playwright/test';
import { SAVED, watchForLeaks } from './donor.ts';
import { expect, test } from './support.ts';
import {
  BOT_TOKEN,
  donation,
  donationCaptcha as captcha,
  hold,
  openDonation,
  submitToken as donate,
  tokenField as donationField,
} from './visitor.ts';

const opener = (page: Page): Locator => page.getByRole('button', { name: 'Donate a bot token' });

type DonationCall = { readonly token: string; readonly proof: string };

/** Answers every donation, and keeps what was sent. */
const answerDonations = async (
  page: Page,
  ...answers: { status: number; json?: unknown }[]
): Promise<DonationCall[]> => {
  const calls: DonationCall[] = [];
  await page.route('/donate-token', async (route) => {
    calls.push(route.request().postDataJSON() as DonationCall);
    const { status, json } = answers[calls.length - 1] ?? answers.at(-1)!;
    await route.fulfill(json === undefined ? { status } : { status, json });
  });
  return calls;
};

const WAYS_OUT = ['Escape', 'Cancel', 'Close'] as const;

const leave = (page: Page, dialog: Locator, way: (typeof WAYS_OUT)[number]): Promise<void> =>
  way === 'Escape' ? page.keyboard.press('Escape') : dialog.getByRole('button', { name: way }).click();

test('the dialog closes in every way, gives the focus back and forgets the token', async ({ page }) => {
  await openDonation(page);
  for (const way of WAYS_OUT) {
    await test.step(way, async () => {
      await donationField(page).fill(BOT_TOKEN);
      await leave(page, donation(page), way);
      await expect(donation(page)).toHaveCount(0);
      await expect(opener(page)).toBeFocused();
      await opener(page).click();
      await expect(donationField(page)).toHaveValue('');
    });
  }
});

test.describe('a donation', () => {
  test('is verified, sent with its proof, and thanked for', async ({ page }) => {
    const calls = await answerDonations(page, { status: 201, json: { message: 'Saved.' } });
    await openDonation(page);
    await donate(page, ` ${BOT_TOKEN}\t`);
    await expect(page.getByRole('alert')).toHaveText(SAVED);
    await expect(donationField(page)).toHaveValue('');
    await expect(captcha(page)).toHaveCount(0);
    expect(calls).toEqual([{ token: BOT_TOKEN, proof: expect.stringMatching(/^[\w+/=]{200,}$/) }]);
    await expect(page.getByRole('button', { name: 'Submit & Verify' })).toBeFocused();
  });

  test('shows the receipt, to be copied', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await answerDonations(page, { status: 201, json: { receipt: 'wf-receipt-123' } });
    await openDonation(page);
    await donate(page);
    await expect(page.getByRole('alert')).toContainText('wf-receipt-123');
    await page.getByRole('button', { name: 'Copy receipt' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('wf-receipt-123');
  });

  test('stops verifying however the captcha is closed, and can be submitted again', async ({ page }) => {
    const calls = await answerDonations(page, { status: 201 });
    await hold(page, '/challenge');
    await openDonation(page);
    for (const way of WAYS_OUT) {
      await test.step(way, async () => {
        await donate(page);
        await expect(captcha(page)).toBeVisible();
        await leave(page, captcha(page), way);
        await expect(captcha(page)).toHaveCount(0);
        await expect(donation(page)).toBeVisible();
        await expect(page.getByRole('button', { name: 'Submit & Verify' })).toBeFocused();
        await expect(donationField(page)).toHaveValue(BOT_TOKEN);
        expect(calls).toEqual([]);
      });
    }
    await page.unroute('/challenge');
    await page.getByRole('button', { name: 'Submit & Verify' }).click();
    await expect(page.getByRole('alert')).toHaveText(SAVED);
  });

  test('is left with two Escapes, and can be opened again', async ({ page }) => {
    await hold(page, '/challenge');
    await openDonation(page);
    await donate(page);
    await expect(captcha(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await opener(page).click();
    await expect(donation(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Submit & Verify' })).toBeVisible();
  });

  test('says that it verifies while the server checks, and is reset by closing', async ({ page }) => {
    await page.route('/donate-token', () => undefined);
    await openDonation(page);
    await donate(page);
    await expect(captcha(page)).toHaveCount(0, { timeout: 10_000 });
    await expect(page.getByRole('button', { name: 'Verifying…' })).toBeVisible();
    await expect(donationField(page)).not.toBeEditable();
    const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/donate-token'));
    await donation(page).getByRole('button', { name: 'Cancel' }).click();
    await aborted;
    await opener(page).click();
    await expect(page.getByRole('button', { name: 'Submit & Verify' })).toBeVisible();
  });
});

const failures: Record<string, { status: number; json?: unknown; sentence: string }> = {
  'in words of the server': {
    status: 422,
    json: { error: 'This is not a valid bot token.', code: 'token-invalid' },
    sentence: 'This is not a valid bot token.',
  },
  'with a wait': {
    status: 429,
    json: { error: 'Too many donations.', code: 'visitor-limit', retry_after: 90 },
    sentence: 'You can try again in 90 seconds.',
  },
  'without words': { status: 500, sentence: 'Token donation failed.' },
};

test.describe('a donation that fails', () => {
  test('says so, and keeps the token', async ({ page, problems }) => {
    problems.expect(/status of (?:422|429|500) .*\/donate-token$/);
    await answerDonations(page, ...Object.values(failures));
    await openDonation(page);
    for (const [how, { sentence }] of Object.entries(failures)) {
      await test.step(how, async () => {
        await donate(page);
        await expect(page.getByRole('alert')).toContainText(sentence);
        await expect(donationField(page)).toHaveValue(BOT_TOKEN);
      });
    }
  });

  test('for an expired proof gets a new one by itself, once', async ({ page, problems }) => {
    problems.expect(/status of 403 .*\/donate-token$/);
    const expired = { status: 403, json: { error: 'The captcha has expired.', code: 'proof-expired' } };
    const calls = await answerDonations(page, expired, { status: 201 }, expired);
    await openDonation(page);
    await donate(page);
    await expect(page.getByRole('alert')).toHaveText(SAVED);
    expect(new Set(calls.map(({ proof }) => proof)).size).toBe(2);
    await donate(page);
    await expect(page.getByRole('alert')).toHaveText('The captcha has expired.');
    expect(calls).toHaveLength(4);
  });
});

test('a token goes nowhere but into the one request', async ({ page }) => {
  const leaks = watchForLeaks(page, { secret: BOT_TOKEN, path: '/donate-token' });
  await answerDonations(page, { status: 201 });
  await openDonation(page);
  await donate(page);
  await expect(page.getByRole('alert')).toHaveText(SAVED);
  expect(await leaks.found()).toEqual([]);
});
