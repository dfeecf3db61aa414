import { expect, it } from 'vitest';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import {
  budgetFreeAt,
  draftOf,
  recordAnswer,
  recordSend,
  stateOf,
  tokenFreeAt,
  type TokenRecord,
} from './token-rules.ts';

const send = (record: TokenRecord | null, nowMs: number): TokenRecord =>
  recordSend(record, { nowMs, byMs: nowMs });

type Answer = PlatformAnswer<unknown>;

/** What becomes of a record by a request at `sentMs` and its answer. */
const exchange = (record: TokenRecord | null, answer: Answer, sentMs: number, tookMs = 20) => {
  const flight = { flightMs: sentMs, sentMs, receivedMs: sentMs + tookMs };
  const after = recordAnswer(send(record, sentMs), answer, flight);
  if (after === null) throw new Error('It was in flight.');
  return after;
};
const answerAfter = (answer: Answer) => exchange(null, answer, 1_000);

it('a token’s record is replaced, never changed', () => {
  const first = send(null, 1_000);
  const before = structuredClone(first);
  send(first, 1_001);
  recordAnswer(first, { kind: 'forbidden' }, { flightMs: 1_000, sentMs: 1_000, receivedMs: 1_020 });
  expect(first).toEqual(before);
});

it('a token’s record survives JSON', () => {
  const { record } = answerAfter({ kind: 'unauthorized' });
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  expect(JSON.parse(JSON.stringify(draftOf(null, 0)))).toEqual(draftOf(null, 0));
});

it('a token’s record that a wrong clock has dated farther ahead than any rule can is not believed', () => {
  const believable = { ...send(null, 1_000), coolUntilMs: 86_400_000 };
  expect(draftOf(believable, 1_000)).toEqual(believable);
  for (const name of ['coolUntilMs', 'globalTatMs', 'tatMs', 'windowEndMs'] as const)
    expect(draftOf({ ...believable, [name]: 90_000_000 }, 1_000)).toEqual(draftOf(null, 1_000));
  expect(draftOf({ ...believable, inFlightMs: [1_000, 90_000_000] }, 1_000).inFlightMs).toEqual([1_000]);
});

it('a token’s record forgets a request whose answer can no longer come', () => {
  const record = send(null, 1_000);
  expect(draftOf(record, 11_999).inFlightMs).toEqual([1_000]);
  expect(draftOf(record, 12_000).inFlightMs).toEqual([]);
});

it('a token is healthy, cooling until some time, or a suspect since some time', () => {
  const healthy = { state: 'healthy', sinceMs: null, untilMs: null, invalid: 0 };
  expect(stateOf(null, false, 0)).toEqual(healthy);
  const record = { ...send(null, 0), coolUntilMs: 500, suspectedMs: 100 };
  expect(stateOf(record, false, 499)).toMatchObject({ state: 'cooling', sinceMs: null, untilMs: 500 });
  expect(stateOf(record, false, 500)).toEqual(healthy);
  expect(stateOf(record, true, 0)).toMatchObject({ state: 'suspect', sinceMs: 100, untilMs: null });
  expect(stateOf({ ...record, heldMs: 50 }, true, 0)).toMatchObject({ sinceMs: 50 });
  expect(stateOf(null, true, 0)).toMatchObject({ state: 'suspect', sinceMs: null });
});

it('a token is free at once if nothing is known of it, or nothing that can be believed', () => {
  const record = { ...send(null, 0), coolUntilMs: 90_000_000, inFlightMs: [] };
  expect([tokenFreeAt(null, 700), tokenFreeAt(record, 700)]).toEqual([700, 700]);
  expect(tokenFreeAt({ ...record, coolUntilMs: 900 }, 700)).toBe(900);
});

it.each<[Answer, restMs: number]>([
  [{ kind: 'forbidden' }, 600_000],
  [{ kind: 'rate-limited', scope: 'user', retryAfterMs: 90_000, reading: null }, 90_050],
  [{ kind: 'rate-limited', scope: 'global', retryAfterMs: 1_000, reading: null }, 60_000],
  [{ kind: 'rate-limited', scope: 'shared', retryAfterMs: 5_000, reading: null }, 5_050],
])('an answer %o lets the token rest', (answer, restMs) => {
  expect(budgetFreeAt(answerAfter(answer).record, 1_020)).toBe(1_020 + restMs);
});

it.each<Answer>([{ kind: 'unauthorized' }, { kind: 'foreign' }])(
  'an answer %o makes the token a suspect; another one like it within two hours makes it rest, too',
  (answer) => {
    const first = answerAfter(answer);
    expect(first).toMatchObject({ because: answer.kind, record: { suspectedMs: 1_020, coolUntilMs: 2_000 } });
    const again = exchange(first.record, answer, 50_000);
    expect(again).toMatchObject({ because: answer.kind, record: { coolUntilMs: 110_020 } });
    const later = exchange(first.record, answer, 7_300_000);
    expect(later.record.coolUntilMs).toBeLessThan(7_302_000);
  },
);

it('a token that is answered 429 although we kept its limit rests twice as long each time, an hour at most', () => {
  const limited = { kind: 'rate-limited', scope: 'user', retryAfterMs: 1_000, reading: null } as const;
  let { record } = answerAfter({ kind: 'not-found', reading: null });
  const minutes = Array.from({ length: 9 }, () => {
    const sentMs = Math.max(2_000, record.coolUntilMs);
    ({ record } = exchange(record, limited, sentMs));
    return Math.round((record.coolUntilMs - sentMs) / 60_000);
  });
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(stateOf(record, false, 0)).toMatchObject({ state: 'cooling', invalid: 9 });
  expect(exchange(record, limited, (record.invalidMs ?? 0) - 1).record.invalid).toBe(9);
  const hoursLater = exchange(record, limited, (record.invalidMs ?? 0) + 7_200_000).record;
  expect(hoursLater.invalid).toBe(1);
});

it('an answer to a request from before the suspicion says nothing new', () => {
  const { record } = answerAfter({ kind: 'unauthorized' });
  const late = exchange(record, { kind: 'unauthorized' }, 1_010, 1_990);
  expect(late).toMatchObject({ because: null, record: { suspectedMs: 1_020 } });
});

it('an answer counts once, however often it is recorded', () => {
  const flight = { flightMs: 1_000, sentMs: 1_000, receivedMs: 1_020 };
  const { record } = answerAfter({ kind: 'unauthorized' });
  expect(recordAnswer(record, { kind: 'unauthorized' }, flight)).toBeNull();
  expect(recordAnswer(null, { kind: 'unauthorized' }, flight)).toBeNull();
});

it('a token that has gone too fast itself, and no other, has to learn again how its bucket refills', () => {
  const learned: TokenRecord = { ...send(null, 0), inFlightMs: [], refill: 'fixed' };
  const refillAfter = (answer: Answer) => exchange(learned, answer, 1_000).record.refill;
  const limited = { kind: 'rate-limited', retryAfterMs: 1, reading: null } as const;
  expect(refillAfter({ ...limited, scope: 'user' })).toBe('unknown');
  expect(refillAfter({ ...limited, scope: 'shared' })).toBe('fixed');
  expect(refillAfter({ kind: 'not-found', reading: null })).toBe('fixed');
});

it('an answer is learned from if it tells how full the bucket is', () => {
  const reading = { limit: 7, remaining: 6, resetAfterMs: 1_000, bucket: null };
  expect(answerAfter({ kind: 'not-found', reading }).record.limit).toBe(7);
});
