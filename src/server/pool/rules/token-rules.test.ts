import { describe, expect, it } from 'vitest';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import { budgetFreeAt } from './token-budget.ts';
import { draftOf } from './token-record.ts';
import { recordAnswer, recordSend } from './token-rules.ts';

const answerAfter = (answer: PlatformAnswer<unknown>, sentMs = 1_000) =>
  recordAnswer(recordSend(null, sentMs), answer, { sentMs, receivedMs: sentMs + 20 });

describe('a token’s record', () => {
  it('is replaced, never changed', () => {
    const first = recordSend(null, 1_000);
    const before = structuredClone(first);
    recordSend(first, 1_001);
    recordAnswer(first, { kind: 'forbidden' }, { sentMs: 1_000, receivedMs: 1_020 });
    expect(first).toEqual(before);
  });

  it('survives JSON', () => {
    const { record } = answerAfter({ kind: 'unauthorized' });
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    expect(JSON.parse(JSON.stringify(draftOf(null, 0)))).toEqual(draftOf(null, 0));
  });

  it('that a wrong clock has dated farther ahead than any rule can is not believed', () => {
    const believable = { ...recordSend(null, 1_000), coolUntilMs: 86_400_000 };
    expect(draftOf(believable, 1_000)).toEqual(believable);
    for (const name of ['coolUntilMs', 'globalTatMs', 'tatMs', 'windowEndMs'] as const)
      expect(draftOf({ ...believable, [name]: 90_000_000 }, 1_000)).toEqual(draftOf(null, 1_000));
    expect(draftOf({ ...believable, inFlightMs: [1_000, 90_000_000] }, 1_000).inFlightMs).toEqual([1_000]);
  });

  it('forgets a request whose answer can no longer come', () => {
    const record = recordSend(null, 1_000);
    expect(draftOf(record, 11_999).inFlightMs).toEqual([1_000]);
    expect(draftOf(record, 12_000).inFlightMs).toEqual([]);
  });
});

describe('an answer', () => {
  it.each<[PlatformAnswer<unknown>, restMs: number]>([
    [{ kind: 'forbidden' }, 600_000],
    [{ kind: 'rate-limited', scope: 'user', retryAfterMs: 30_000, reading: null }, 30_050],
    [{ kind: 'rate-limited', scope: 'shared', retryAfterMs: 5_000, reading: null }, 5_050],
  ])('%o lets the token rest', (answer, restMs) => {
    expect(budgetFreeAt(answerAfter(answer).record, 1_020)).toBe(1_020 + restMs);
  });

  it.each<PlatformAnswer<unknown>>([{ kind: 'unauthorized' }, { kind: 'foreign' }])(
    '%o makes the token a suspect; another one like it within a minute makes it rest, too',
    (answer) => {
      const first = answerAfter(answer);
      expect(first).toMatchObject({ isSuspect: true, record: { suspectedMs: 1_020, coolUntilMs: 2_000 } });
      const again = recordAnswer(first.record, answer, { sentMs: 50_000, receivedMs: 50_020 });
      expect(again).toMatchObject({ isSuspect: true, record: { coolUntilMs: 110_020 } });
      const later = recordAnswer(first.record, answer, { sentMs: 61_100, receivedMs: 61_120 });
      expect(later.record.coolUntilMs).toBeLessThan(65_000);
    },
  );

  it('to a request from before the suspicion says nothing new', () => {
    const { record } = answerAfter({ kind: 'unauthorized' });
    const late = recordAnswer(record, { kind: 'unauthorized' }, { sentMs: 1_010, receivedMs: 3_000 });
    expect(late).toMatchObject({ isSuspect: false, record: { suspectedMs: 1_020 } });
  });
});
