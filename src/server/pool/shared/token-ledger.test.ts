import { describe, expect, it } from 'vitest';
import type { Admission } from '#server/platform/shared/shared-platform.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { RawScript as Script } from '#server/storage/redis/script.ts';
import { spendBudget } from '../token-budget.ts';
import { GIVE_BACK, PUT } from './pool-scripts.ts';
import { createTokenLedger } from './token-ledger.ts';
import { decodeTokenRecord, encodeTokenRecord, type TokenRecord } from './token-record.ts';

const NOW_MS = 1_794_700_000_000.123;

/** A window of ten, of which so many are used. */
const windowOf = (used: number): TokenRecord => {
  const record = decodeTokenRecord('', 0);
  const window = { windowStartMs: NOW_MS - 1_000, windowEndMs: NOW_MS + 9_000, periodMs: 10_000 };
  Object.assign(record.budget, { refill: 'fixed', limit: 10, used, ...window });
  return record;
};

/** A store in which somebody else was quicker: the first write is lost against `record`. */
const startRace = (mine: TokenRecord, theirs: TokenRecord) => {
  const calls: { script: Script; args: readonly (string | number)[] }[] = [];
  const call: Session['call'] = async (script, _keys, args) => {
    calls.push({ script, args });
    if (script !== PUT) return ['back'];
    return calls.length === 1 ? ['lost', encodeTokenRecord(theirs)] : ['put', 'order'];
  };
  const admission: Admission<'getUser'> = {
    pass: { ask: async () => ({ kind: 'forbidden' }), release: () => {} },
    session: {
      runId: '',
      run: async () => {
        throw new Error('not used');
      },
      send: async () => null,
      call,
    },
    epoch: 'now',
    grantedMs: NOW_MS,
    words: ['a', encodeTokenRecord(mine), `${NOW_MS + 2_000}`],
  };
  return { admission, calls };
};

const ledger = createTokenLedger([], () => {});

describe('a request that somebody else was quicker than', () => {
  it('is counted on top of theirs if there is room', async () => {
    const { admission, calls } = startRace(windowOf(3), windowOf(4));
    const flight = await ledger.spend(admission);
    expect(flight).toMatchObject({ id: 'a', epoch: 'now', grantedMs: NOW_MS });
    expect(decodeTokenRecord(flight?.record ?? '', 0).budget).toMatchObject({ used: 5, inFlight: 1 });
    expect(calls.map(({ script }) => script)).toEqual([PUT, PUT]);
  });

  it('does not leave if there is none, and the token is free as soon as it can be', async () => {
    const { admission, calls } = startRace(windowOf(9), windowOf(10));
    expect(await ledger.spend(admission)).toBeNull();
    expect(calls.map(({ script }) => script)).toEqual([PUT, GIVE_BACK]);
    expect(calls[1]?.args).toEqual(['now', 'a', `${NOW_MS + 2_000}`, (NOW_MS + 9_000).toFixed(3)]);
  });
});

describe('a token’s record', () => {
  it('reads as it was written, and forgets requests that nobody reports any more', () => {
    const record = windowOf(3);
    spendBudget(record.budget, NOW_MS);
    record.flights.push(NOW_MS - 20_000, NOW_MS);
    const read = decodeTokenRecord(encodeTokenRecord(record), NOW_MS - 15_000);
    expect(read).toEqual({ ...record, flights: [NOW_MS], budget: { ...record.budget, inFlight: 1 } });
    expect(decodeTokenRecord(encodeTokenRecord(decodeTokenRecord('', 0)), 0)).toEqual(
      decodeTokenRecord('', 0),
    );
  });
});
