import type { Locator, Page, Request } from '@playwright/test';
import { donate, donation, donationField, holdChallenges, openDonation, SAVED, TOKEN } from './donor.ts';
import { expect, expectNoAxeViolations, test } from './support.ts';

const captcha = (page: Page): Locator => page.getByRole('dialog', { name: 'Verify your token donation' });
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
    await route.fulfill(answers[calls.length - 1] ?? answers.at(-1)!);
  });
  return calls;
};

test.describe('the donation dialog', () => {
  test('has the field, its hint and the warning, and starts in the field', async ({ page }) => {
    await openDonation(page);
    await expect(donationField(page)).toBeFocused();
    await expect(donationField(page)).toHaveAttribute('type', 'text');
    await expect(donationField(page)).toHaveAttribute('placeholder', 'Paste your bot token');
    await expect(donationField(page)).toHaveAttribute('autocomplete', 'off');
    await expect(donationField(page)).toHaveAttribute('spellcheck', 'false');
    await expect(donationField(page)).toHaveAttribute('required');
    await expect(donationField(page)).toHaveAccessibleDescription(
      'Do not reuse an existing token, and do not add the bot to any server.',
    );
    await expect(donation(page)).toContainText('Discord may terminate the application');
  });

  test('asks for a token when there is none, without a captcha', async ({ page }) => {
    await openDonation(page);
    await donate(page, '   ');
    await expect(page.getByRole('alert')).toHaveText('Enter a Discord bot token before submitting.');
    await expect(captcha(page)).toHaveCount(0);
    await expect(donationField(page)).toBeFocused();
  });

  for (const way of ['Escape', 'Cancel', 'Close'] as const) {
    test(`closes with ${way}, gives the focus back and forgets the token`, async ({ page }) => {
      await openDonation(page);
      await donationField(page).fill(TOKEN);
      if (way === 'Escape') await page.keyboard.press('Escape');
      else await donation(page).getByRole('button', { name: way }).click();
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
    await donate(page, ` ${TOKEN}\t`);
    await expect(page.getByRole('alert')).toHaveText(SAVED);
    await expect(donationField(page)).toHaveValue('');
    await expect(captcha(page)).toHaveCount(0);
    expect(calls).toEqual([{ token: TOKEN, proof: expect.stringMatching(/^[\w+/=]{200,}$/) }]);
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

  for (const way of ['Escape', 'Cancel', 'Close'] as const) {
    test(`stops verifying when ${way} closes the captcha, and can be submitted again`, async ({ page }) => {
      const calls = await answerDonations(page, { status: 201 });
      await holdChallenges(page);
      await openDonation(page);
      await donate(page);
      await expect(captcha(page)).toBeVisible();
      if (way === 'Escape') await page.keyboard.press('Escape');
      else await captcha(page).getByRole('button', { name: way }).click();
      await expect(captcha(page)).toHaveCount(0);
      await expect(donation(page)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Submit & Verify' })).toBeFocused();
      await expect(donationField(page)).toHaveValue(TOKEN);
      expect(calls).toEqual([]);
      await page.unroute('/challenge');
      await page.getByRole('button', { name: 'Submit & Verify' }).click();
      await expect(page.getByRole('alert')).toHaveText(SAVED);
    });
  }

  test('is left with two Escapes, and can be opened again', async ({ page }) => {
    await holdChallenges(page);
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
  for (const [how, { sentence, ...answer }] of Object.entries(failures)) {
    test(`${how} says: ${sentence}`, async ({ page, problems }) => {
      problems.expect(new RegExp(`status of ${answer.status} .*/donate-token$`));
      await answerDonations(page, answer);
      await openDonation(page);
      await donate(page);
      await expect(page.getByRole('alert')).toContainText(sentence);
      await expect(donationField(page)).toHaveValue(TOKEN);
    });
  }

  test('for want of a network says: Unable to submit token right now.', async ({ page, problems }) => {
    problems.expect(/ERR_FAILED .*\/donate-token$/);
    await page.route('/donate-token', (route) => route.abort());
    await openDonation(page);
    await donate(page);
    await expect(page.getByRole('alert')).toHaveText('Unable to submit token right now.');
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
  const leaks: string[] = [];
  const note = (place: string, text: string | null): unknown => text?.includes(TOKEN) && leaks.push(place);
  page.on('console', (message) => note('console', message.text()));
  page.on('request', (request: Request) => {
    note('address', decodeURIComponent(request.url()));
    if (!request.url().endsWith('/donate-token')) note(request.url(), request.postData());
  });
  await answerDonations(page, { status: 201 });
  await openDonation(page);
  await donate(page);
  await expect(page.getByRole('alert')).toHaveText(SAVED);
  note('page address', page.url());
  note('storage', await page.evaluate(() => JSON.stringify([localStorage, sessionStorage])));
  note('page', await page.content());
  expect(leaks).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in any state of a donation, ${colorScheme}`, async ({ page, problems }) => {
    test.slow();
    problems.expect(/status of 422 .*\/donate-token$/);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await answerDonations(
      page,
      { status: 422, json: { error: 'This is not a valid bot token.' } },
      { status: 201, json: { receipt: 'wf-receipt-123' } },
    );
    await openDonation(page);
    await expectNoAxeViolations(page);
    await donate(page, '');
    await expectNoAxeViolations(page);
    await donate(page);
    await expect(page.getByRole('alert')).toContainText('This is not a valid bot token.');
    await expectNoAxeViolations(page);
    await donate(page);
    await expect(page.getByRole('alert')).toContainText('wf-receipt-123');
    await expectNoAxeViolations(page);
    await holdChallenges(page);
    await donate(page);
    await expect(captcha(page)).toBeVisible();
    await expectNoAxeViolations(page);
  });
}
