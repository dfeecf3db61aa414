import { expect, it } from 'vitest';
import english from '#texts/en.json' with { type: 'json' };
import { translationOf } from './localize.ts';

/** What the specification says word for word. In English it stays like this; other languages say it as people speak. */
const EXACT: readonly (readonly [key: string, sentence: string])[] = [
  ['frame.subtitle', 'Unofficial Lookup'],
  ['frame.lookup', 'Lookup'],
  ['frame.tokenDonation', 'Token Donation'],
  ['frame.supportUs', 'Support us'],
  ['frame.contactUs', 'Contact us'],
  ['frame.unexpectedError', 'Unexpected Application Error!'],
  ['ui.cancel', 'Cancel'],
  ['ui.backToLookup', 'Back to Lookup'],
  ['ui.donateToken', 'Donate a bot token'],
  ['lookup.fieldLabel', '{platformName} ID'],
  ['lookup.submit', 'Lookup'],
  ['lookup.busy', 'Looking up…'],
  ['lookup.lookupFailed', 'Unable to complete lookup.'],
  ['lookup.howDonationsWork', 'How token donations work'],
  ['captcha.title', 'Captcha'],
  ['captcha.verifying', 'Verifying... please wait.'],
  ['captcha.failed', 'Verification failed. Please try again.'],
  ['captcha.expired', 'Verification expired. Try again.'],
  ['captcha.notLoaded', 'captcha widget took too long to load. Check your connection and retry.'],
  ['captcha.noPayload', 'Verification did not return a token. Please retry.'],
  ['captcha.notRobot', "I'm not a robot"],
  ['captcha.failedLater', 'Verification failed. Try again later.'],
  [
    'answer.notFound',
    'No profile was found for {id}. {platformName} reports that the snowflake was created at: {time}',
  ],
  ['errors.donation-proof-missing', 'Complete the Altcha challenge to donate your token.'],
  ['errors.id-missing', 'Enter a {platformName} snowflake to lookup.'],
  ['errors.internal', 'Unexpected server error.'],
  ['errors.proof-missing', 'Complete the Altcha challenge to continue.'],
  ['errors.token-missing', 'Enter a {platformName} bot token before submitting.'],
  ['card.clan', 'Clan'],
  ['card.primaryGuild', 'Primary Guild'],
  ['donation.title', 'Donate a {platformName} bot token'],
  ['donation.label', 'Bot Token'],
  ['donation.placeholder', 'Paste your bot token'],
  ['donation.submit', 'Submit & Verify'],
  ['donation.busy', 'Verifying…'],
  ['donation.captchaTitle', 'Verify your token donation'],
  ['donation.failed', 'Token donation failed.'],
  ['donation.unreachable', 'Unable to submit token right now.'],
  ['donation.saved', 'Token verified and saved. Thank you for helping keep the service alive!'],
  ['tokenDonation.why.title', 'Why this matters'],
  ['tokenDonation.trust.title', 'Token usage & trust'],
  ['donate.action', 'Donate now'],
  ['notFound.title', 'Page not found'],
];

it.each(EXACT)('%s is a sentence of the specification', (key, sentence) => {
  expect(translationOf('en')).toHaveProperty(key.split('.'), sentence);
});

it('are marked as such in the file', () => {
  expect(english).toHaveProperty(
    ['//'],
    expect.stringMatching(`: ${EXACT.map(([key]) => key).join(', ')}\\.$`),
  );
});
