import { expect, it } from 'vitest';
import { createSharedDailySecret } from './daily-secret.ts';

const DAY_MS = 86_400_000;
const NOON_MS = 20_000.5 * DAY_MS;

it('of several nodes is one for all, by the day of their store, and none without a store', () => {
  let nowMs = NOON_MS;
  let isThere = true;
  const session = () => {
    if (!isThere) throw new Error('store-unavailable');
    return {} as never;
  };
  const derived: number[] = [];
  const secretOf = (day: number): string => {
    derived.push(day);
    return `secret of ${day}`;
  };
  const secret = createSharedDailySecret({ session, storeNowMs: () => nowMs }, secretOf);
  expect([secret(), secret()]).toEqual(['secret of 20000', 'secret of 20000']);
  nowMs += DAY_MS / 2 - 1;
  expect(secret()).toBe('secret of 20000');
  nowMs += 1;
  expect(secret()).toBe('secret of 20001');
  isThere = false;
  expect(secret).toThrow('store-unavailable');
  expect(derived).toEqual([20_000, 20_001]);
});
