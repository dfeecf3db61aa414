import type { TokenPool } from '#server/pool/token-pool.ts';
import type { LookupPause } from '#shared/contract/status.ts';
import type { Condition } from './notices.ts';

export const RESTARTED =
  'the server started again after it had ended without being told to. See journalctl -u whoflake.';

export type ConditionsDeps = {
  readonly readPause: () => LookupPause | null;
  readonly pool: Pick<TokenPool, 'counts'>;
  /** What `ops doctor` found last. */
  readonly findings: () => readonly Condition[];
};

/** Below this many a single revocation is felt. */
const FEW_TOKENS = 3;

const CAUSES: Readonly<Record<LookupPause['cause'], string>> = {
  banned: 'Discord is blocking our address; it is tried again by itself. See ops status.',
  'invalid-requests': 'too many requests were invalid, and more could get us banned. See ops tokens list.',
  'platform-failing': "Discord is failing. Check its status page and this machine's network.",
  'no-tokens': 'there is no working token. Add one with ops tokens add.',
  'tokens-cooling': 'Discord has told all tokens to wait. Add tokens with ops tokens add.',
  'store-unavailable': 'PostgreSQL cannot be used. See ops doctor.',
};

/** What is wrong with the site now. */
export const createConditions = ({ readPause, pool, findings }: ConditionsDeps) => {
  return (): readonly Condition[] => {
    const pause = readPause();
    const { healthy, cooling, suspect } = pool.counts();
    const usable = healthy + cooling;
    return [
      ...(pause === null ? [] : [{ event: 'lookups-paused', text: describePause(pause) }]),
      ...(usable > 0 && usable < FEW_TOKENS
        ? [
            {
              event: 'tokens-low',
              text: `only ${usable} working tokens are left. Add one with ops tokens add.`,
            },
          ]
        : []),
      ...(suspect > 0
        ? [
            {
              event: 'tokens-on-hold',
              text: `${suspect} tokens are on hold because Discord refuses them; they come back by themselves. See ops tokens list.`,
            },
          ]
        : []),
      ...findings(),
    ];
  };
};

const describePause = ({ cause, until }: LookupPause): string =>
  `lookups are paused${until === null ? '' : ` until ${until}`}: ${CAUSES[cause]}`;
