import { expect, test } from '../support/browser-test.ts';
import {
  BOT_TOKEN,
  donation,
  donationCaptcha,
  donationOpener,
  openDonation,
  SAVED,
  submitButton,
  submitToken,
  tokenField,
} from '../support/donation-forms.ts';
import { alert } from '../support/lookup-page.ts';
import { answer, answerInOrder } from '../support/server-answers.ts';

for (const [how, { status, json, sentence }] of Object.entries({
  "a refused token shows the server's message": {
    status: 422,
    json: { error: 'This is not a valid bot token.', code: 'token-invalid' },
    sentence: 'This is not a valid bot token.',
  },
  "a missing proof shows the server's message": {
    status: 403,
    json: { error: 'Complete the Altcha challenge to donate your token.', code: 'proof-missing' },
    sentence: 'Complete the Altcha challenge to donate your token.',
  },
  'a donation that is refused for a time tells how long to wait': {
    status: 429,
    json: { error: 'Too many donations.', code: 'visitor-limit', retry_after: 90 },
    sentence: 'You can try again in 90 seconds.',
  },
  'a failure without a message of the server says that the donation failed': {
    status: 500,
    json: undefined,
    sentence: /^Token donation failed\.$/,
  },
})) {
  test(`${how}, and the token is kept`, async ({ page, problems }) => {
    problems.expect(new RegExp(`status of ${status} .*/donate-token$`));
    await answer(page, '/donate-token', { status, json });
    await openDonation(page);
    await submitToken(page);
    await expect(donation(page).getByRole('alert')).toContainText(sentence);
    await expect(tokenField(page)).toHaveValue(BOT_TOKEN);
  });
}

test('a donation that is refused for a time can be submitted again when the time is over, not earlier', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 429 .*\/donate-token$/);
  const calls = await answerInOrder(
    page,
    '/donate-token',
    { status: 429, json: { error: 'Too many donations.', code: 'visitor-limit', retry_after: 90 } },
    { status: 201 },
  );
  await page.clock.install();
  await openDonation(page);
  await submitToken(page);
  await expect(donation(page).getByRole('alert')).toContainText('Too many donations.');
  await expect(submitButton(page)).toHaveAttribute('aria-disabled', 'true');
  await submitButton(page).click({ force: true });
  await tokenField(page).press('Enter');
  await expect(donationCaptcha(page)).toHaveCount(0);
  await page.clock.fastForward(90_000);
  await expect(submitButton(page)).toHaveAttribute('aria-disabled', 'false');
  expect(calls).toHaveLength(1);
  await submitButton(page).click();
  await expect(alert(page)).toHaveText(SAVED);
});

test('a donation that does not reach the server says so', async ({ page, problems }) => {
  problems.expect(/ERR_FAILED .*\/donate-token$/);
  await page.route('/donate-token', (route) => route.abort());
  await openDonation(page);
  await submitToken(page);
  await expect(donation(page).getByRole('alert')).toHaveText('Unable to submit token right now.');
});

test('an expired proof is replaced by a new one without asking the donor, once', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 403 .*\/donate-token$/);
  const expired = { status: 403, json: { error: 'The captcha has expired.', code: 'proof-expired' } };
  const calls = await answerInOrder(page, '/donate-token', expired, { status: 201 }, expired);
  await openDonation(page);
  await submitToken(page);
  await expect(alert(page)).toHaveText(SAVED);
  expect(new Set(calls.map(({ proof }) => proof)).size).toBe(2);
  await page.getByRole('button', { name: 'Done' }).click();
  await donationOpener(page).click();
  await submitToken(page);
  await expect(alert(page)).toHaveText('The captcha has expired.');
  expect(calls).toHaveLength(4);
});
