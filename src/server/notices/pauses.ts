import type { LookupPause } from '#shared/contract/status.ts';

/** Why lookups are paused, and what helps. */
export const PAUSES: Readonly<Record<LookupPause['cause'], readonly [finding: string, remedy: string]>> = {
  banned: ['the platform is blocking our address', 'wait: it is tried again by itself. Find out why first.'],
  'invalid-requests': [
    'too many requests were invalid, and more could get us banned',
    'wait ten minutes; if it goes on, look for revoked tokens with ops tokens check.',
  ],
  'platform-failing': ['the platform is failing', "check its status page, and this machine's network."],
  'no-tokens': ['there is no working token', 'add a token with ops tokens add.'],
  'tokens-cooling': [
    'the platform has told all tokens to wait',
    'wait, or add tokens with ops tokens add; it goes on by itself.',
  ],
  'store-unavailable': ['PostgreSQL cannot be used', 'see what ops doctor says of the database.'],
};
