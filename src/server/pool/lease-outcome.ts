import type { BudgetReading } from './token-budget.ts';

/** How a leased token fared, in the pool's own words: whoever made the call translates from the wire. */
export type LeaseOutcome =
  | { readonly kind: 'answered'; readonly reading: BudgetReading | null }
  | {
      readonly kind: 'rate-limited';
      readonly scope: 'user' | 'global' | 'shared';
      readonly retryAfterMs: number;
      readonly reading: BudgetReading | null;
    }
  /** The token is no longer valid. */
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'forbidden' }
  /** The platform turns away our address, whatever the token. */
  | { readonly kind: 'blocked'; readonly retryAfterMs: number | null }
  /** No usable answer: an error of the platform or the network. */
  | { readonly kind: 'failed' }
  /** The answer was about somebody else: the token is not what it says. */
  | { readonly kind: 'foreign' };
