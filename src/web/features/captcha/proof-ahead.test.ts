import { describe, expect, it } from 'vitest';
import type { ChallengeAnswer } from './ask-challenge.ts';
import type { Search, Solution } from './challenge-search.ts';
import { createProofAhead } from './proof-ahead.ts';

type Asked = {
  answer: (search: boolean, expiresMs?: number) => void;
  fail: () => void;
  find: (solution: Solution | null) => void;
  ended: boolean;
};

const setUp = () => {
  const asked: Asked[] = [];
  let nowMs = 0;
  let prepared = 0;
  const ahead = createProofAhead({
    nowMs: () => nowMs,
    prepare: () => void (prepared += 1),
    ask: () => {
      const { promise, resolve, reject } = Promise.withResolvers<ChallengeAnswer>();
      const { promise: found, resolve: find } = Promise.withResolvers<Solution | null>();
      const one = {
        answer: (hasSearch: boolean, expiresMs = 300_000) =>
          resolve({
            response: new Response(),
            valid: true,
            search: hasSearch ? ({ found } as Search) : undefined,
            prove: async () => undefined,
            expiresMs,
          }),
        fail: () => reject(new TypeError('offline')),
        find,
        ended: false,
      };
      asked.push(one);
      return { answer: promise, end: () => void (one.ended = true) };
    },
  });
  return { ahead, asked, prepared: () => prepared, passTo: (ms: number) => void (nowMs = ms) };
};

const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

describe('a proof that is worked at ahead', () => {
  it('is started once, and given away once, finished or not', async () => {
    const { ahead, asked } = setUp();
    expect(ahead.take()).toBeUndefined();
    ahead.start();
    ahead.start();
    expect(asked).toHaveLength(1);
    expect(ahead.take()).toBeDefined();
    expect(ahead.take()).toBeUndefined();
    ahead.start();
    asked[1]?.answer(true);
    asked[1]?.find({ number: 1, took: 1 });
    await settled();
    ahead.start();
    expect(asked).toHaveLength(2);
    expect(ahead.take()).toBeDefined();
    expect(asked.map(({ ended }) => ended)).toEqual([false, false]);
  });

  it.each<[string, (one: Asked) => void]>([
    ['cannot be asked for', ({ fail }) => fail()],
    ['is refused', ({ answer }) => answer(false)],
    [
      'has no solution',
      ({ answer, find }) => {
        answer(true);
        find(null);
      },
    ],
  ])('is forgotten when its challenge %s', async (_, spoil) => {
    const { ahead, asked } = setUp();
    ahead.start();
    spoil(asked[0]!);
    await settled();
    expect(ahead.take()).toBeUndefined();
  });

  it('is dropped in time before it expires, and another one can be started', async () => {
    const { ahead, asked, passTo } = setUp();
    ahead.start();
    asked[0]?.answer(true, 60_000);
    asked[0]?.find({ number: 1, took: 1 });
    await settled();
    passTo(50_001);
    expect(ahead.take()).toBeUndefined();
    expect(asked[0]?.ended).toBe(true);
    ahead.start();
    expect(asked).toHaveLength(2);
    expect(ahead.take()).toBeDefined();
  });

  it('is prepared only while there is none, and ends with the page', () => {
    const { ahead, prepared, asked } = setUp();
    ahead.prepare();
    expect([prepared(), asked]).toEqual([1, []]);
    ahead.start();
    ahead.prepare();
    expect(prepared()).toBe(1);
    ahead.drop();
    expect(asked[0]?.ended).toBe(true);
    expect(ahead.take()).toBeUndefined();
    ahead.prepare();
    expect(prepared()).toBe(2);
  });
});
