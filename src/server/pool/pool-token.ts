import type { TokenState } from '#server/rules/token-rules.ts';

/** The token of a bot. */
export type PoolToken = {
  readonly botId: string;
  /** Requests made with it since it was added. */
  readonly requests: number;
  readonly state: TokenState['state'];
  /** A suspect, as far as is known. */
  readonly since: string | null;
  /** Cooling. */
  readonly until: string | null;
};

/** `aheadMs`: by how much the wall clock is ahead of the store's, which its times are by. */
export const describeState = (
  found: TokenState,
  aheadMs: number,
): Pick<PoolToken, 'state' | 'since' | 'until'> => {
  const iso = (atMs: number | null): string | null =>
    atMs === null ? null : new Date(atMs + aheadMs).toISOString();
  return {
    state: found.state,
    since: found.state === 'suspect' ? iso(found.sinceMs) : null,
    until: found.state === 'cooling' ? iso(found.untilMs) : null,
  };
};
