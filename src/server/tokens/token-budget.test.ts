import { expect, it } from 'vitest';
import { sendIntervalMs, SHARED_JITTER_MS } from '#server/platform/platform-store.ts';
import { budgetFreeAt, distrustBudget, settleBudget, spendBudget } from './token-rules.ts';
import { coolBudget, createTokenBudget, type RateLimitReading, type TokenBudget } from './refill.ts';

const ROUND_TRIP_MS = 20;

const spend = (budget: TokenBudget, nowMs: number): void => spendBudget(budget, { nowMs, byMs: nowMs });

/** One request at `sentMs`, answered a round trip later. */
const exchange = (budget: TokenBudget, sentMs: number, reading: RateLimitReading | null): void => {
  spend(budget, sentMs);
  budget.inFlightMs.pop();
  settleBudget(budget, { sentMs, receivedMs: sentMs + ROUND_TRIP_MS }, reading);
};

const reading = (remaining: number, resetAfterMs: number, limit = 30): RateLimitReading => ({
  limit,
  remaining,
  resetAfterMs,
  bucket: null,
});
const sliding = (used: number): RateLimitReading => reading(30 - used, used * 1_000);

const proven = (first: RateLimitReading, second: RateLimitReading): TokenBudget => {
  const budget = createTokenBudget();
  exchange(budget, 0, first);
  exchange(budget, 20, second);
  return budget;
};
const provenSliding = (): TokenBudget => proven(sliding(1), reading(28, 1_980));
const provenFixed = (): TokenBudget => proven(reading(29, 30_000), reading(28, 29_980));

it('how a bucket refills is learned from two answers', () => {
  const common = { windowStartMs: 0, used: 2, lastUsed: 2 };
  expect(provenSliding()).toMatchObject({
    ...common,
    refill: 'sliding',
    tatMs: 2_020,
    intervalMs: 1_000,
    periodMs: 1_000,
    windowEndMs: 2_020,
    lastEndMs: 2_020,
    lastResetMs: 1_980,
  });
  expect(provenFixed()).toMatchObject({
    ...common,
    refill: 'fixed',
    tatMs: 30_020,
    intervalMs: 30_000,
    periodMs: 30_000,
    windowEndMs: 30_020,
  });
});

it('a slow answer does not pass for one from the next window, whose requests would be too many', () => {
  const budget = provenFixed();
  settleBudget(budget, { sentMs: 40, receivedMs: 20_000 }, reading(27, 29_960));
  expect(budget).toMatchObject({ used: 3, windowStartMs: 0, windowEndMs: 30_020 });
});

it('when slots come back one by one, it is learned when all are back and how long the slowest took', () => {
  const budget = provenSliding();
  exchange(budget, 40, reading(27, 9_000));
  expect(budget).toMatchObject({ tatMs: 9_060, intervalMs: 3_000 });
  exchange(budget, 80, reading(30, 0));
  expect(budget).toMatchObject({ tatMs: 12_060, intervalMs: 3_000 });
  budget.tatMs = 100_000;
  expect(budgetFreeAt(budget, 100)).toBe(100_000 - 28 * 3_000);
});

it('when all slots come back at once, it is learned when that is and how many are left', () => {
  const budget = provenFixed();
  exchange(budget, 40, reading(20, 20_000));
  expect(budget).toMatchObject({ windowEndMs: 20_061, used: 10, periodMs: 30_000 });
  exchange(budget, 100, reading(0, 31_000));
  expect(budget).toMatchObject({ windowEndMs: 20_061, used: 30, periodMs: 31_000 });
  expect([19_000, 20_061, 40_000].map((nowMs) => budgetFreeAt(budget, nowMs))).toEqual([
    20_061, 20_061, 40_000,
  ]);
});

it('a window is a new one when one was opened, or when an answer ends much later than the known one', () => {
  const opened = provenFixed();
  exchange(opened, 31_000, reading(29, 30_000));
  expect(opened).toMatchObject({ windowStartMs: 31_000, windowEndMs: 61_021, used: 1 });
  const answered = provenFixed();
  spend(answered, 15_900);
  spend(answered, 16_000);
  answered.inFlightMs.pop();
  settleBudget(answered, { sentMs: 16_000, receivedMs: 16_020 }, reading(28, 30_000));
  expect(answered).toMatchObject({ windowStartMs: 16_000, windowEndMs: 46_021, used: 3 });
});

it('a bucket of which nothing is known has to refill when it is empty', () => {
  const budget = createTokenBudget();
  exchange(budget, 0, reading(0, 5_000));
  expect([budget.refill, budgetFreeAt(budget, 100)]).toEqual(['unknown', 5_020]);
});

it('a token budget sends one request at a time until it knows how its bucket refills', () => {
  const budget = createTokenBudget();
  expect(budgetFreeAt(budget, 0)).toBeLessThanOrEqual(0);
  spend(budget, 0);
  expect(budgetFreeAt(budget, 0)).toBe(Infinity);
});

it('a token budget does not decide when a slot is shorter than the network is steady', () => {
  expect(proven(reading(5, 500), reading(4, 510)).refill).toBe('unknown');
});

it('a token budget has at most four requests in flight', () => {
  const budget = provenSliding();
  for (let n = 0; n < 4; n += 1) spend(budget, 40);
  expect(budgetFreeAt(budget, 1_000)).toBe(Infinity);
});

it('a token budget counts a request for when it will have left at the latest, if it has to wait for its turn', () => {
  const [at, ahead] = [provenSliding(), provenSliding()];
  spend(at, 10_000);
  spendBudget(ahead, { nowMs: 10_000, byMs: 10_200 });
  expect(ahead.tatMs - at.tatMs).toBe(200);
});

it('a token budget counts requests in flight when a window turns in the new window', () => {
  const budget = provenFixed();
  spend(budget, 30_000);
  spend(budget, 30_000);
  spend(budget, 30_100);
  expect(budget.used).toBe(3);
});

it('a token budget ignores an answer that belongs to the window before', () => {
  const budget = provenFixed();
  spend(budget, 29_990);
  spend(budget, 30_100);
  settleBudget(budget, { sentMs: 29_990, receivedMs: 30_110 }, reading(27, 10));
  expect(budget.windowEndMs).toBeGreaterThan(60_000);
});

it('a token budget does not believe in a much larger bucket until it was seen a hundred times', () => {
  const budget = provenSliding();
  const large = reading(1_999, 100, 2_000);
  for (let n = 0; n < 100; n += 1) exchange(budget, n * 2_000, large);
  expect([budget.limit, budget.refill]).toEqual([30, 'sliding']);
  exchange(budget, 300_000, large);
  expect([budget.limit, budget.refill]).toEqual([2_000, 'unknown']);
});

it('a token budget respects another bucket once that is empty', () => {
  const budget = provenSliding();
  exchange(budget, 1_000, reading(0, 60_000, 2_000));
  expect(budgetFreeAt(budget, 1_100)).toBe(61_020);
});

it('a token budget takes a smaller limit at once and learns again', () => {
  const budget = provenSliding();
  exchange(budget, 1_000, reading(4, 6_000, 5));
  expect([budget.limit, budget.refill]).toEqual([5, 'unknown']);
});

it('a token budget learns again when its bucket has another name, even with the same limit', () => {
  const budget = provenSliding();
  exchange(budget, 1_000, { ...sliding(3), bucket: 'a' });
  expect(budget.refill).toBe('sliding');
  exchange(budget, 2_000, { ...sliding(3), bucket: null });
  expect(budget.refill).toBe('sliding');
  exchange(budget, 3_000, { ...sliding(3), bucket: 'b' });
  expect(budget.refill).toBe('unknown');
});

it('a token budget does not believe a larger bucket of another name, and keeps its own', () => {
  const budget = provenSliding();
  exchange(budget, 1_000, { ...sliding(3), bucket: 'a' });
  exchange(budget, 2_000, { limit: 2_000, remaining: 1_999, resetAfterMs: 100, bucket: 'b' });
  exchange(budget, 3_000, { ...sliding(4), bucket: 'a' });
  expect([budget.limit, budget.refill]).toEqual([30, 'sliding']);
});

it('a token budget without any headers sends once a second', () => {
  const budget = createTokenBudget();
  exchange(budget, 0, null);
  expect(budgetFreeAt(budget, 20)).toBe(1_000);
});

it('a token budget keeps its model when an answer has no headers', () => {
  const budget = provenSliding();
  const before = budget.tatMs;
  exchange(budget, 40, null);
  expect([budget.refill, budget.tatMs - before]).toEqual(['sliding', 1_000]);
});

it('a token budget stays under the limit of the platform over all routes', () => {
  const budget = provenSliding();
  budget.limit = 10_000;
  let sent = 0;
  for (let nowMs = 1_000; nowMs < 2_000; nowMs += 1) {
    if (budgetFreeAt(budget, nowMs) > nowMs) continue;
    exchange(budget, nowMs, null);
    sent += 1;
  }
  expect(sent).toBeLessThanOrEqual(50);
  expect(sent).toBeGreaterThan(40);
});

it('a token budget cools for the longest of its reasons', () => {
  const budget = provenSliding();
  coolBudget(budget, 5_000);
  coolBudget(budget, 3_000);
  distrustBudget(budget);
  expect([budgetFreeAt(budget, 100), budget.refill]).toEqual([5_000, 'unknown']);
});

it('the pace leaves room in each second for what is late and what the network shifts', () => {
  expect(sendIntervalMs(50)).toBe(20.6);
  expect(sendIntervalMs(50, SHARED_JITTER_MS)).toBe(21.8);
});
