import { describe, expect, it } from 'vitest';
import { askChallenge } from './ask-challenge.ts';
import type { Puzzle, Search } from './challenge-search.ts';

const CHALLENGE = { algorithm: 'SHA-256', challenge: 'c', salt: 's?expires=1763170000&', maxnumber: 5 };

const setUp = (answer: () => Response | Promise<Response>) => {
  const puzzles: Puzzle[] = [];
  let ended = 0;
  let prepared = 0;
  let signal: AbortSignal | null | undefined;
  const asked = askChallenge({
    fetch: async (_, init) => {
      signal = init?.signal;
      return answer();
    },
    solver: {
      prepare: () => void (prepared += 1),
      search: (puzzle) => {
        puzzles.push(puzzle);
        return { puzzle, end: () => void (ended += 1) } as Search;
      },
    },
  });
  return { asked, puzzles, prepared: () => prepared, ended: () => ended, aborted: () => signal?.aborted };
};

describe('asking for a challenge', () => {
  it('prepares the search meanwhile', () => {
    const { prepared, puzzles } = setUp(() => new Promise(() => undefined));
    expect([prepared(), puzzles]).toEqual([1, []]);
  });

  it('begins to solve it, and leaves it for the widget to read', async () => {
    const { asked, puzzles } = setUp(() => Response.json(CHALLENGE));
    const { response, search, expiresMs } = await asked.answer;
    const puzzle = { challenge: 'c', salt: CHALLENGE.salt, maxNumber: 5 };
    expect(puzzles).toEqual([puzzle]);
    expect(search?.puzzle).toEqual(puzzle);
    expect(expiresMs).toBe(1_763_170_000_000);
    expect(await response.json()).toEqual(CHALLENGE);
  });

  it('searches a million numbers unless the challenge says how many, and knows no end if it names none', async () => {
    const { maxnumber: _, ...rest } = CHALLENGE;
    const { asked, puzzles } = setUp(() => Response.json({ ...rest, salt: 'salt' }));
    expect((await asked.answer).expiresMs).toBe(Infinity);
    expect(puzzles[0]?.maxNumber).toBe(1_000_000);
  });

  it.each([
    ['is no JSON', () => new Response('{')],
    ['is null', () => Response.json(null)],
    ['has another algorithm', () => Response.json({ ...CHALLENGE, algorithm: 'SHA-512' })],
    ['has no salt', () => Response.json({ ...CHALLENGE, salt: undefined })],
    ['was refused', () => Response.json(CHALLENGE, { status: 429 })],
  ])('leaves to the widget what %s', async (_, answer) => {
    const { asked, puzzles } = setUp(answer);
    const { response, search } = await asked.answer;
    expect(search).toBeUndefined();
    expect(puzzles).toEqual([]);
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
    expect(late.ended()).toBe(1);
  });
});
