import { describe, expect, it } from 'vitest';
import { askChallenge } from './ask-challenge.ts';
import type { Puzzle, Search, Solution } from './challenge-search.ts';

const CHALLENGE = {
  algorithm: 'SHA-256',
  challenge: 'c'.repeat(40),
  salt: 'salt?expires=1763170000&',
  signature: 's',
  maxnumber: 5,
};

const setUp = (answer: () => Response | Promise<Response>, solution: Solution | null = null) => {
  const puzzles: Puzzle[] = [];
  const heard: string[] = [];
  let signal: AbortSignal | null | undefined;
  const asked = askChallenge({
    fetch: async (_, init) => {
      signal = init?.signal;
      return answer();
    },
    solver: {
      prepare: () => void heard.push('prepare'),
      dismiss: () => void heard.push('dismiss'),
      search: (puzzle) => {
        puzzles.push(puzzle);
        const found = Promise.resolve(solution);
        return { puzzle, found, hurry: () => undefined, end: () => heard.push('end') } as unknown as Search;
      },
    },
  });
  return { asked, puzzles, heard, aborted: () => signal?.aborted };
};

describe('asking for a challenge', () => {
  it('prepares the search meanwhile', () => {
    const { heard, puzzles } = setUp(() => new Promise(() => undefined));
    expect([heard, puzzles]).toEqual([['prepare'], []]);
  });

  it('§125, 169, 175, 190 begins to solve it, and leaves it for the widget to read', async () => {
    const { asked, puzzles } = setUp(() => Response.json(CHALLENGE));
    const { response, valid, search, expiresMs } = await asked.answer;
    const { challenge, salt } = CHALLENGE;
    const puzzle = { challenge, salt, maxNumber: 5 };
    expect(valid).toBe(true);
    expect(puzzles).toEqual([puzzle]);
    expect(search?.puzzle).toEqual(puzzle);
    expect(expiresMs).toBe(1_763_170_000_000);
    expect(await response.json()).toEqual(CHALLENGE);
  });

  it('§124, 177, 222 searches a million numbers unless the challenge says how many, and knows no end if it names none', async () => {
    const { maxnumber: _, ...rest } = CHALLENGE;
    const { asked, puzzles } = setUp(() => Response.json({ ...rest, salt: '0'.repeat(10) }));
    expect((await asked.answer).expiresMs).toBe(Infinity);
    expect(puzzles[0]?.maxNumber).toBe(1_000_000);
  });

  it.each([
    ['as many as the header says', { workers: 3, maxnumber: 9 }, { workers: 3, maxNumber: 9 }],
    ['nothing from a header that makes no sense', { workers: -1, maxnumber: 'x' }, { maxNumber: 1_000_000 }],
    ['nothing from a header that is no object', null, { maxNumber: 1_000_000 }],
  ])('takes of the widget’s configuration %s', async (_, config, taken) => {
    const { maxnumber: __, ...body } = CHALLENGE;
    const headers = { 'x-altcha-config': JSON.stringify(config) };
    const { asked, puzzles } = setUp(() => Response.json(body, { headers }));
    await asked.answer;
    const { challenge, salt } = CHALLENGE;
    expect(puzzles).toEqual([{ challenge, salt, ...taken }]);
  });

  it('proves what it has solved as the widget would', async () => {
    const { asked } = setUp(() => Response.json(CHALLENGE), { number: 3, took: 12 });
    const proof = await (await asked.answer).prove();
    const { maxnumber: _, ...signed } = CHALLENGE;
    expect(JSON.parse(atob(proof ?? ''))).toEqual({ ...signed, number: 3, took: 12 });
  });

  const FOUND = { number: 3, took: 1 };
  it.each([
    ['that has no solution', Response.json(CHALLENGE), null],
    ['of another algorithm', Response.json({ ...CHALLENGE, algorithm: 'SHA-384' }), FOUND],
    ['with a configuration', Response.json(CHALLENGE, { headers: { 'x-altcha-config': '{}' } }), FOUND],
    ['that was refused', Response.json(CHALLENGE, { status: 429 }), FOUND],
  ])('leaves a challenge to the widget %s', async (_, response, solution) => {
    const { asked } = setUp(() => response, solution);
    expect(await (await asked.answer).prove()).toBeUndefined();
  });

  it('§171 leaves another algorithm to the workers of the widget, and takes its own away', async () => {
    const { asked, puzzles, heard } = setUp(() => Response.json({ ...CHALLENGE, algorithm: 'sha-512' }));
    expect(await asked.answer).toMatchObject({ valid: true, search: undefined });
    expect([puzzles, heard]).toEqual([[], ['prepare', 'dismiss']]);
  });

  it.each([
    ['is no JSON', () => new Response('{')],
    ['is null', () => Response.json(null)],
    ['is no object', () => Response.json('challenge')],
    ['has an unknown algorithm', () => Response.json({ ...CHALLENGE, algorithm: 'SHA-1' })],
    ['has no salt', () => Response.json({ ...CHALLENGE, salt: undefined })],
    ['has a short salt', () => Response.json({ ...CHALLENGE, salt: '0'.repeat(9) })],
    ['has a short challenge', () => Response.json({ ...CHALLENGE, challenge: 'c'.repeat(39) })],
    ['has no signature', () => Response.json({ ...CHALLENGE, signature: undefined })],
    ['asks for a code', () => Response.json({ ...CHALLENGE, codeChallenge: { image: '/code.png' } })],
    ['was refused', () => Response.json(CHALLENGE, { status: 429 })],
    ['comes with another status than 200', () => Response.json(CHALLENGE, { status: 203 })],
  ])('§172–174, 176, 187, 228–230 solves nothing that %s', async (_, answer) => {
    const { asked, puzzles } = setUp(answer);
    const { response, valid, search } = await asked.answer;
    expect([valid, search, puzzles]).toEqual([false, undefined, []]);
    expect(response.status).toBe(answer().status);
  });

  it('ends the request, or the search', async () => {
    const early = setUp(() => Response.json(CHALLENGE));
    early.asked.end();
    await expect(early.asked.answer).rejects.toThrow(/abort/i);
    expect(early.aborted()).toBe(true);
    expect(early.puzzles).toEqual([]);
    const late = setUp(() => Response.json(CHALLENGE));
    await late.asked.answer;
    late.asked.end();
    expect(late.heard).toEqual(['prepare', 'end']);
  });
});
