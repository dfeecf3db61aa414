import { expect, it } from 'vitest';
import { askChallenge } from './ask-challenge.ts';
import type { Puzzle, Search, Solution } from './challenge-search.ts';

const { maxnumber, ...SIGNED } = {
  algorithm: 'SHA-256',
  challenge: 'c'.repeat(40),
  salt: 'salt?expires=1763170000&',
  signature: 's',
  maxnumber: 5,
};
const CHALLENGE = { ...SIGNED, maxnumber };
const { challenge, salt } = SIGNED;

const ask = (answer: Response, solution: Solution | null = null) => {
  const puzzles: Puzzle[] = [];
  const asked = askChallenge({
    fetch: async () => answer,
    solver: {
      prepare: () => undefined,
      dismiss: () => undefined,
      search: (puzzle) => {
        puzzles.push(puzzle);
        const found = Promise.resolve(solution);
        return { puzzle, found, hurry: () => undefined, end: () => undefined } as unknown as Search;
      },
    },
  });
  return { asked, puzzles };
};

const json = (changes: object, init?: ResponseInit): Response =>
  Response.json({ ...CHALLENGE, ...changes }, init);
const configured = (config: unknown): ResponseInit => ({
  headers: { 'x-altcha-config': JSON.stringify(config) },
});

it('§125, 169, 175, 190 a challenge is solved at once, and left for the widget to read', async () => {
  const { asked, puzzles } = ask(json({}));
  const { response, valid, expiresMs } = await asked.answer;
  expect([valid, puzzles, expiresMs]).toEqual([true, [{ challenge, salt, maxNumber: 5 }], 1_763_170_000_000]);
  expect(await response.json()).toEqual(CHALLENGE);
});

it('§124, 177, 222 a million numbers are searched unless the challenge says how many, and it has no end if it names none', async () => {
  const { asked, puzzles } = ask(json({ maxnumber: undefined, salt: '0'.repeat(10) }));
  expect((await asked.answer).expiresMs).toBe(Infinity);
  expect(puzzles[0]?.maxNumber).toBe(1_000_000);
});

it.each([
  [
    { workers: 3, maxnumber: 9 },
    { workers: 3, maxNumber: 9 },
  ],
  [{ workers: -1, maxnumber: 'x' }, { maxNumber: 1_000_000 }],
])('of the widget’s configuration %j is taken %j', async (config, taken) => {
  const { asked, puzzles } = ask(json({ maxnumber: undefined }, configured(config)));
  await asked.answer;
  expect(puzzles).toEqual([{ challenge, salt, ...taken }]);
});

const FOUND = { number: 3, took: 12 };
it('a proof is made of what was found as the widget makes it', async () => {
  const { asked } = ask(json({}), FOUND);
  const proof = await (await asked.answer).prove();
  expect(JSON.parse(atob(proof ?? ''))).toEqual({ ...SIGNED, ...FOUND });
});

it.each([
  ['that has no solution', json({}), null],
  ['of another algorithm', json({ algorithm: 'sha-384' }), FOUND],
  ['with a configuration', json({}, configured({})), FOUND],
])('§171 a challenge is left to the widget %s', async (_, response, solution) => {
  expect(await (await ask(response, solution).asked.answer).prove()).toBeUndefined();
});

it.each([
  ['is no JSON', new Response('{')],
  ['has an unknown algorithm', json({ algorithm: 'SHA-1' })],
  ['has a short salt', json({ salt: '0'.repeat(9) })],
  ['has a short challenge', json({ challenge: 'c'.repeat(39) })],
  ['has no signature', json({ signature: undefined })],
  ['asks for a code', json({ codeChallenge: { image: '/code.png' } })],
  ['comes with another status than 200', json({}, { status: 203 })],
])('§172–174, 176, 187, 228–230 an answer is no challenge if it %s', async (_, answer) => {
  const { asked, puzzles } = ask(answer);
  const { response, valid, search } = await asked.answer;
  expect([valid, search, puzzles]).toEqual([false, undefined, []]);
  expect(response.status).toBe(answer.status);
});
