import type { LimitMode } from '#sandbox/api/rate-limits.ts';
import type { SaturatingClient } from './saturating-clients.ts';

export type Scenario = {
  readonly tokens: number;
  readonly mode: LimitMode;
  readonly periodMs: number;
  readonly periods: number;
};

export type Outcome = {
  readonly answered: number;
  /** 429s, as the platform counted them. */ readonly refused: number;
};

/** Lets a client loose on a platform of its own. */
export type RunScenario = (scenario: Scenario, client: SaturatingClient) => Promise<Outcome>;

/** As on the platform. */
export const LIMIT = 30;

/**
 * What the tokens could do at most in whole periods. Fixed: every period one window of all slots. Sliding: a full
 * bucket at the start, and in every period as much comes back.
 */
export const capacityOf = ({ tokens, periods, mode }: Scenario): number =>
  tokens * LIMIT * (mode === 'fixed' ? periods : periods + 1);
