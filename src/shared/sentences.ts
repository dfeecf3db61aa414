import type { BotTokenProblem } from './bot-token-shape.ts';
import type { SnowflakeProblem } from './snowflake.ts';

/** Sentences that both the server and the screens use. */
export const PROOF_MISSING = 'Complete the Altcha challenge to continue.';
export const DONATION_PROOF_MISSING = 'Complete the Altcha challenge to donate your token.';
export const TOKEN_SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';
export const UNEXPECTED_ERROR = 'Unexpected server error.';
export const WITHDRAWAL_MISSING = 'Enter your receipt or the token to withdraw.';

export const tokenProblem = (problem: BotTokenProblem, platformName: string): string =>
  ({
    empty: `Enter a ${platformName} bot token before submitting.`,
    'user-token': 'This isn’t a bot token. Never share your own account’s token with anyone.',
    'not-a-token': `This doesn’t look like a ${platformName} bot token.`,
  })[problem];

export const idProblem = (problem: SnowflakeProblem, platformName: string): string =>
  ({
    missing: `Enter a ${platformName} snowflake to lookup.`,
    malformed: `A ${platformName} ID is all digits. Paste the ID, a mention or a profile link.`,
    zero: `Zero isn’t a valid ${platformName} ID.`,
    'too-large': `This number is too large to be a ${platformName} ID.`,
    future: `This ID is dated in the future, so it can’t belong to anyone yet.`,
  })[problem];
