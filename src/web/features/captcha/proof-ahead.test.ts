import { describe, expect, it } from 'vitest';
import type { ChallengeAnswer } from './ask-challenge.ts';
import type { Search, Solution } from './challenge-search.ts';
import { createProofAhead } from './proof-ahead.ts';

const setUp = () => {
  const asked: {
    answer: (expiresMs?: number) => void;
    fail: () => void;
    find: (solution: Solution | null) => void;
    ended: boolean;
  }[] = [];
  let nowMs = 0;
  const ahead = createProofAhead({
    nowMs: () => nowMs,
    prepare: () => undefined,
    ask: () => {
      const { promise: answer, resolve, reject } = Promise.withResolvers<ChallengeAnswer>();
      const { promise: found, resolve: find } = Promise.withResolvers<Solution | null>();
      const search = { found } as Search;
      const prove = async () => undefined;
      const one = {
        answer: (expiresMs = 300_000) =>
          resolve({ response: new Response(), valid: true, search, prove, expiresMs }),
        fail: () => reject(new TypeError('offline')),
        find,
        ended: false,
      };
      asked.push(one);
      return { answer, end: () => void (one.ended = true) };
    },
  });
  return { ahead, asked, passTo: (ms: number) => void (nowMs = ms) };
};

const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

describe('a proof that is worked at ahead', () => {
  it('a proof is started once and given away once, finished or not', async () => {
    const { ahead, asked } = setUp();
    expect(ahead.take()).toBeUndefined();
    ahead.start();
    ahead.start();
    expect(asked).toHaveLength(1);
    expect([ahead.take(), ahead.take()]).toEqual([expect.anything(), undefined]);
    ahead.start();
    asked[1]?.answer();
    asked[1]?.find({ number: 1, took: 1 });
    await settled();
    ahead.start();
    expect(asked).toHaveLength(2);
    expect(ahead.take()).toBeDefined();
    expect(asked.map(({ ended }) => ended)).toEqual([false, false]);
  });

  it('a proof that cannot be asked for, or has no solution, is forgotten', async () => {
    const { ahead, asked } = setUp();
    ahead.start();
    asked[0]?.fail();
    await settled();
    expect(ahead.take()).toBeUndefined();
    ahead.start();
    asked[1]?.answer();
    asked[1]?.find(null);
    await settled();
    expect(ahead.take()).toBeUndefined();
  });

  it('a proof is dropped ten seconds before it expires, and another one can be started', async () => {
    const { ahead, asked, passTo } = setUp();
    ahead.start();
    asked[0]?.answer(60_000);
    asked[0]?.find({ number: 1, took: 1 });
    await settled();
    passTo(50_001);
    expect(ahead.take()).toBeUndefined();
    expect(asked[0]?.ended).toBe(true);
    ahead.start();
    expect(ahead.take()).toBeDefined();
  });
});
