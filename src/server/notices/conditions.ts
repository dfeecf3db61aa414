import type { TokenPool } from '#server/tokens/token-pool.ts';
import { ENOUGH_TOKENS, type LookupPause } from '#shared/contract/status.ts';
import type { Condition } from './notices.ts';

export const RESTARTED =
  'the server started again after it had ended without being told to. See journalctl -u whoflake.';

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

type Counts = Pick<ReturnType<TokenPool['counts']>, 'healthy' | 'cooling' | 'suspect'>;

export const findConditions = (
  pause: LookupPause | null,
  { healthy, cooling, suspect }: Counts,
): readonly Condition[] => {
  const usable = healthy + cooling;
  return [
    pause !== null && { event: 'lookups-paused', text: describePause(pause) },
    usable > 0 &&
      usable < ENOUGH_TOKENS && {
        event: 'tokens-low',
        text: `only ${usable} working tokens are left. What helps: add one with ops tokens add.`,
      },
    suspect > 0 && {
      event: 'tokens-on-hold',
      text: `${suspect} tokens are on hold because Discord refuses them; they come back by themselves. See ops tokens list.`,
    },
  ].filter((condition) => condition !== false);
};

const describePause = ({ cause, until }: LookupPause): string => {
  const [finding, remedy] = PAUSES[cause];
  return `lookups are paused${until === null ? '' : ` until ${until}`}: ${finding}. What helps: ${remedy}`;
};
