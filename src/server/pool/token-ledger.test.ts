import { describe, expect, it } from 'vitest';
import { createTokenLedger } from './token-ledger.ts';
import { draftOf, type TokenRecord } from './rules/token-record.ts';
import type { PutOutcome, TakenToken, TokenStore } from './token-store/token-store.ts';

const NOW_MS = 1_794_700_000_000.123;

/** A window of ten, of which so many are used. */
const windowOf = (used: number): TokenRecord => ({
  ...draftOf(null, NOW_MS),
  refill: 'fixed',
  limit: 10,
  used,
  windowStartMs: NOW_MS - 1_000,
  windowEndMs: NOW_MS + 9_000,
  periodMs: 10_000,
});

/** A store in which another node was quicker: the first write meets `theirs`. */
const startRace = (mine: TokenRecord, theirs: TokenRecord) => {
  const outcomes: PutOutcome[] = [
    { kind: 'changed', record: theirs },
    { kind: 'put', isNewSuspect: false },
  ];
  const givenBackMs: number[] = [];
  const store = {
    nowMs: () => NOW_MS,
    put: async () => outcomes.shift() ?? { kind: 'gone' },
    giveBack: async (_taken: TakenToken, freeAtMs: number) => void givenBackMs.push(freeAtMs),
  } as unknown as TokenStore;
  const taken: TakenToken = { id: 'a', record: mine, takenMs: NOW_MS, lock: '1', epoch: 'now' };
  return { flight: createTokenLedger(store).send(taken), givenBackMs };
};

describe('a request that another node was quicker than', () => {
  it('is counted on top of theirs if there is room', async () => {
    const { flight } = startRace(windowOf(3), windowOf(4));
    expect(await flight).toMatchObject({
      id: 'a',
      epoch: 'now',
      sentMs: NOW_MS,
      record: { used: 5, inFlightMs: [NOW_MS] },
    });
  });

  it('does not leave if there is none, and the token is free as soon as it can be', async () => {
    const { flight, givenBackMs } = startRace(windowOf(9), windowOf(10));
    expect(await flight).toBeNull();
    expect(givenBackMs).toEqual([NOW_MS + 9_000]);
  });
});
