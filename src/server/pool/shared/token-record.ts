import type { TokenBudget } from '../refill.ts';
import { createTokenBudget } from '../token-budget.ts';

/** What all nodes know of a token. Times are on the engine's clock. */
export type TokenRecord = {
  readonly budget: TokenBudget;
  /** When the requests that are under way were granted: one whose node died is not waited for for ever. */
  readonly flights: number[];
  /** When it was last set aside. */
  suspectedMs: number;
};

const FIELDS = [
  'refill',
  'bucket',
  'limit',
  'coolUntilMs',
  'globalTatMs',
  'higherClaims',
  'lastUsed',
  'lastResetMs',
  'lastEndMs',
  'tatMs',
  'intervalMs',
  'used',
  'windowStartMs',
  'windowEndMs',
  'periodMs',
] as const satisfies readonly (keyof TokenBudget)[];

/** JSON has no -Infinity, so null stands for it. */
export const encodeTokenRecord = ({ budget, flights, suspectedMs }: TokenRecord): string =>
  JSON.stringify([flights, suspectedMs, ...FIELDS.map((field) => budget[field])]);

/** Nothing is known of a token that has no record yet. */
export const decodeTokenRecord = (text: string, forgetFlightsBeforeMs: number): TokenRecord => {
  const budget = createTokenBudget();
  if (text === '') return { budget, flights: [], suspectedMs: -Infinity };
  const [flights, suspectedMs, ...values] = JSON.parse(text) as [number[], number | null, ...unknown[]];
  const known = FIELDS.map((field, n) => [
    field,
    values[n] === null && field !== 'bucket' ? -Infinity : values[n],
  ]);
  const underWay = flights.filter((grantedMs) => grantedMs > forgetFlightsBeforeMs);
  Object.assign(budget, Object.fromEntries(known), { inFlight: underWay.length });
  return { budget, flights: underWay, suspectedMs: suspectedMs ?? -Infinity };
};

/** How long it takes until all of a token's limit is back; zero while that is not known. */
export const refillMs = ({ refill, periodMs, limit, intervalMs }: TokenBudget): number => {
  if (refill === 'unknown') return 0;
  return refill === 'fixed' ? periodMs : limit * intervalMs;
};
