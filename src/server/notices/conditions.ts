import type { TokenPool } from '#server/pool/token-pool.ts';
import type { LookupPause } from '#shared/contract/status.ts';
import type { Condition } from './notices.ts';
import { PAUSES } from './pauses.ts';

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

/** What is wrong with the site now. */
export const createConditions =
  ({ readPause, pool, findings }: ConditionsDeps) =>
  (): readonly Condition[] => {
    const pause = readPause();
    const { healthy, cooling, suspect } = pool.counts();
    const usable = healthy + cooling;
    return [
      pause !== null && { event: 'lookups-paused', text: describePause(pause) },
      usable > 0 &&
        usable < FEW_TOKENS && {
          event: 'tokens-low',
          text: `only ${usable} working tokens are left. What helps: add one with ops tokens add.`,
        },
      suspect > 0 && {
        event: 'tokens-on-hold',
        text: `${suspect} tokens are on hold because Discord refuses them; they come back by themselves. See ops tokens list.`,
      },
      ...findings(),
    ].filter((condition) => condition !== false);
  };

const describePause = ({ cause, until }: LookupPause): string => {
  const [finding, remedy] = PAUSES[cause];
  return `lookups are paused${until === null ? '' : ` until ${until}`}: ${finding}. What helps: ${remedy}`;
};
