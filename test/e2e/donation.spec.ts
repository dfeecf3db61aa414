import type { Locator, Page, Request } from '@playwright/test';
import { expect, expectNoAxeViolations, test } from './support.ts';

const TOKEN = 'MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.not-a-real-token-but-shaped-like-one';
const SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';

const donation = (page: Page): Locator => page.getByRole('dialog', { name: 'Donate a Discord bot token' });
const captcha = (page: Page): Locator => page.getByRole('dialog', { name: 'Verify your token donation' });
const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Bot Token' });
const opener = (page: Page): Locator => page.getByRole('button', { name: 'Donate a bot token' });

const open = async (page: Page): Promise<void> => {
  await page.goto('/');
  await opener(page).click();
  await expect(donation(page)).toBeVisible();
};

const submit = async (page: Page, token = TOKEN): Promise<void> => {
  await field(page).fill(token);
  await page.getByRole('button', { name: 'Submit & Verify' }).click();
};

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

const holdChallenges = (page: Page): Promise<unknown> => page.route('/challenge', () => undefined);

test.describe('the donation dialog', () => {
  test('has the field, its hint and the warning, and starts in the field', async ({ page }) => {
    await open(page);
    await expect(field(page)).toBeFocused();
    await expect(field(page)).toHaveAttribute('type', 'text');
    await expect(field(page)).toHaveAttribute('placeholder', 'Paste your bot token');
    await expect(field(page)).toHaveAttribute('autocomplete', 'off');
    await expect(field(page)).toHaveAttribute('spellcheck', 'false');
    await expect(field(page)).toHaveAttribute('required');
    await expect(field(page)).toHaveAccessibleDescription(
      'Do not reuse an existing token, and do not add the bot to any server.',
    );
    await expect(donation(page)).toContainText('Discord may terminate the application');
  });

  test('asks for a token when there is none, without a captcha', async ({ page }) => {
    await open(page);
    await submit(page, '   ');
    await expect(page.getByRole('alert')).toHaveText('Enter a Discord bot token before submitting.');
    await expect(captcha(page)).toHaveCount(0);
    await expect(field(page)).toBeFocused();
  });

  for (const way of ['Escape', 'Cancel', 'Close'] as const) {
    test(`closes with ${way}, gives the focus back and forgets the token`, async ({ page }) => {
      await open(page);
      await field(page).fill(TOKEN);
      if (way === 'Escape') await page.keyboard.press('Escape');
      else await donation(page).getByRole('button', { name: way }).click();
      await expect(donation(page)).toHaveCount(0);
      await expect(opener(page)).toBeFocused();
      await opener(page).click();
      await expect(field(page)).toHaveValue('');
    });
  }
});

test.describe('a donation', () => {
  test('is verified, sent with its proof, and thanked for', async ({ page }) => {
    const calls = await answerDonations(page, { status: 201, json: { message: 'Saved.' } });
    await open(page);
    await submit(page, ` ${TOKEN}\t`);
    await expect(page.getByRole('alert')).toHaveText(SAVED);
    await expect(field(page)).toHaveValue('');
    await expect(captcha(page)).toHaveCount(0);
    expect(calls).toEqual([{ token: TOKEN, proof: expect.stringMatching(/^[\w+/=]{200,}$/) }]);
    await expect(page.getByRole('button', { name: 'Submit & Verify' })).toBeFocused();
  });

  test('shows the receipt, to be copied', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await answerDonations(page, { status: 201, json: { receipt: 'wf-receipt-123' } });
    await open(page);
    await submit(page);
    await expect(page.getByRole('alert')).toContainText('wf-receipt-123');
    await page.getByRole('button', { name: 'Copy receipt' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('wf-receipt-123');
  });

  test('stops verifying when the captcha is closed, and can be submitted again', async ({ page }) => {
    const calls = await answerDonations(page, { status: 201 });
    await holdChallenges(page);
    await open(page);
    await submit(page);
    await expect(captcha(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(captcha(page)).toHaveCount(0);
    await expect(donation(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Submit & Verify' })).toBeFocused();
    await expect(field(page)).toHaveValue(TOKEN);
    expect(calls).toEqual([]);
    await page.unroute('/challenge');
    await page.getByRole('button', { name: 'Submit & Verify' }).click();
    await expect(page.getByRole('alert')).toHaveText(SAVED);
  });

  test('is left with two Escapes, and can be opened again', async ({ page }) => {
    await holdChallenges(page);
    await open(page);
    await submit(page);
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
    await open(page);
    await submit(page);
    await expect(captcha(page)).toHaveCount(0, { timeout: 10_000 });
    await expect(page.getByRole('button', { name: 'Verifying…' })).toBeVisible();
    await expect(field(page)).not.toBeEditable();
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
      await open(page);
      await submit(page);
      await expect(page.getByRole('alert')).toContainText(sentence);
      await expect(field(page)).toHaveValue(TOKEN);
    });
  }

  test('for want of a network says: Unable to submit token right now.', async ({ page, problems }) => {
    problems.expect(/ERR_FAILED .*\/donate-token$/);
    await page.route('/donate-token', (route) => route.abort());
    await open(page);
    await submit(page);
    await expect(page.getByRole('alert')).toHaveText('Unable to submit token right now.');
  });

  test('for an expired proof gets a new one by itself, once', async ({ page, problems }) => {
    problems.expect(/status of 403 .*\/donate-token$/);
    const expired = { status: 403, json: { error: 'The captcha has expired.', code: 'proof-expired' } };
    const calls = await answerDonations(page, expired, { status: 201 }, expired);
    await open(page);
    await submit(page);
    await expect(page.getByRole('alert')).toHaveText(SAVED);
    expect(new Set(calls.map(({ proof }) => proof)).size).toBe(2);
    await submit(page);
    await expect(page.getByRole('alert')).toHaveText('The captcha has expired.');
    expect(calls).toHaveLength(4);
  });

  test('at the real server says what that answers', async ({ page, problems }) => {
    problems.expect(/status of \d{3} .*\/donate-token$/);
    await open(page);
    const answered = page.waitForResponse('/donate-token');
    await submit(page);
    const { error } = (await (await answered).json()) as { error: string };
    await expect(page.getByRole('alert')).toContainText(error);
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
  await open(page);
  await submit(page);
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
    await open(page);
    await expectNoAxeViolations(page);
    await submit(page, '');
    await expectNoAxeViolations(page);
    await submit(page);
    await expect(page.getByRole('alert')).toContainText('This is not a valid bot token.');
    await expectNoAxeViolations(page);
    await submit(page);
    await expect(page.getByRole('alert')).toContainText('wf-receipt-123');
    await expectNoAxeViolations(page);
    await holdChallenges(page);
    await submit(page);
    await expect(captcha(page)).toBeVisible();
    await expectNoAxeViolations(page);
  });
}
