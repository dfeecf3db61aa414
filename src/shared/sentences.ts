import type { SnowflakeProblem } from './snowflake.ts';

/** Sentences that the server answers with and the screens also say by themselves. */
export const PROOF_MISSING = 'Complete the Altcha challenge to continue.';
export const DONATION_PROOF_MISSING = 'Complete the Altcha challenge to donate your token.';
export const TOKEN_SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';
export const UNEXPECTED_ERROR = 'Unexpected server error.';
export const WITHDRAWAL_MISSING = 'Enter your receipt or the token that you want back.';

export const tokenMissing = (platformName: string): string =>
  `Enter a ${platformName} bot token before submitting.`;

export const idProblem = (problem: SnowflakeProblem, platformName: string): string =>
  ({
    missing: `Enter a ${platformName} snowflake to lookup.`,
    malformed: `A ${platformName} ID consists of digits only. Paste the ID, a mention or a link to the profile.`,
    zero: `Zero is not a ${platformName} ID.`,
    'too-large': `This number is too large to be a ${platformName} ID.`,
    future: `This ${platformName} ID lies in the future, so nobody can have it yet.`,
  })[problem];
