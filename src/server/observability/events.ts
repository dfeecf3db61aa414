import type { ErrorCode } from '#shared/contract/errors.ts';
import type { Logger } from './logger.ts';

/** Counts by label; read by the metrics when they are asked for, so that counting costs one addition. */
export type Tally = Map<string, number>;

/**
 * What happens in the product, one function each: it counts, and it logs what an operator must hear of. No event
 * takes an id, an address or a token.
 */
export type Events = {
  readonly challengeIssued: () => void;
  readonly proofRedeemed: (outcome: string) => void;
  readonly lookedUp: (source: 'cached' | 'fetched') => void;
  readonly lookupAnswered: (outcome: 'found' | 'not-found') => void;
  readonly requestRefused: (code: ErrorCode) => void;
  readonly upstreamAnswered: (kind: string) => void;
  readonly tokenRetired: (reason: string) => void;
  readonly requestFailed: (error: unknown) => void;
  readonly tallies: Readonly<Record<TallyName, Tally>>;
};

export type TallyName =
  | 'challenges'
  | 'proofs'
  | 'lookups'
  | 'lookupSources'
  | 'refusals'
  | 'upstream'
  | 'retired';

export const createEvents = (logger: Logger): Events => {
  const tallies: Record<TallyName, Tally> = {
    challenges: new Map(),
    proofs: new Map(),
    lookups: new Map(),
    lookupSources: new Map(),
    refusals: new Map(),
    upstream: new Map(),
    retired: new Map(),
  };
  const count = (name: TallyName, label: string): void => {
    const tally = tallies[name];
    tally.set(label, (tally.get(label) ?? 0) + 1);
  };

  return {
    challengeIssued: () => count('challenges', 'issued'),
    proofRedeemed: (outcome) => count('proofs', outcome),
    lookedUp: (source) => count('lookupSources', source),
    lookupAnswered: (outcome) => count('lookups', outcome),
    requestRefused: (code) => count('refusals', code),
    upstreamAnswered: (kind) => {
      count('upstream', kind);
      if (kind === 'blocked') logger.error({ event: 'platform-blocked' }, 'the platform blocks our address');
    },
    tokenRetired: (reason) => {
      count('retired', reason);
      logger.warn({ event: 'token-retired', reason }, 'a token was retired');
    },
    requestFailed: (error) =>
      logger.error({ event: 'request-failed', ...describeError(error) }, 'a request failed'),
    tallies,
  };
};

/** Name and stack frames only: messages may quote what a visitor sent. */
const describeError = (error: unknown): { name: string; frames: string[] } => {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return { name: error.name, frames: frames.map((line) => line.trim()) };
};
