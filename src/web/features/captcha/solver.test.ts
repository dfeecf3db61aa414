import { expect, it } from 'vitest';
import type { SolverWorker } from './challenge-search.ts';
import { createSolver } from './solver.ts';

const PUZZLE = { salt: 's', challenge: 'c', maxNumber: 1_000_000 };
const TASK = 50_000;

type Task = readonly [start: number, max: number];

/** Workers that do nothing until they are told what they found. */
const setUp = (workers: readonly [number, number] = [1, 3]) => {
  const team: { tasks: Task[]; ended: boolean; answer: (data: unknown) => void; fail: () => void }[] = [];
  let nowMs = 1_000;
  const startWorker = (): SolverWorker => {
    const events = new EventTarget();
    const member = {
      tasks: [] as Task[],
      ended: false,
      answer: (data: unknown) => void events.dispatchEvent(new MessageEvent('message', { data })),
      fail: () => void events.dispatchEvent(new Event('error')),
    };
    team.push(member);
    return {
      addEventListener: (type, listener) => events.addEventListener(type, listener as EventListener),
      postMessage: (message) => {
        const { type, start, max } = message as { type: string; start: number; max: number };
        if (type === 'work') member.tasks.push([start, max]);
      },
      terminate: () => void (member.ended = true),
    };
  };
  const after = () => () => undefined;
  const solver = createSolver({ startWorker, workers, nowMs: () => nowMs, after });
  return {
    solver,
    team,
    searchTo: (maxNumber: number) => solver.search({ ...PUZZLE, maxNumber }),
    pass: (ms: number) => void (nowMs += ms),
  };
};

it.each([
  [1, 1],
  [64, 16],
])('§225 of %i workers that a server asks for, %i are started: 16 at most', (workers, started) => {
  const { solver, team } = setUp([2, 3]);
  solver.search({ ...PUZZLE, maxNumber: 1e9, workers }).hurry();
  expect(team).toHaveLength(started);
});

it('a search goes through the whole range, each number once, and ends without a solution', async () => {
  const { searchTo, team } = setUp();
  const search = searchTo(TASK * 2);
  expect(search.share()).toBe(0);
  for (let task = 0; task < 3; task += 1) team[0]?.answer(null);
  expect(team[0]?.tasks).toEqual([
    [0, TASK - 1],
    [TASK, 2 * TASK - 1],
    [2 * TASK, 2 * TASK],
  ]);
  expect(search.share()).toBe(1);
  expect(await search.found).toBeNull();
});

it('a search gives the number and how long it took, and lets all workers go', async () => {
  const { searchTo, team, pass } = setUp();
  const search = searchTo(TASK * 100);
  search.hurry();
  expect(team).toHaveLength(3);
  pass(250);
  team[2]?.answer({ number: 7 });
  expect(await search.found).toEqual({ number: 7, took: 250 });
  expect(team.every(({ ended }) => ended)).toBe(true);
});

it('a worker that dies leaves its part to the others, and the last one the search without a solution', async () => {
  const { searchTo, team } = setUp();
  const search = searchTo(TASK * 6 - 1);
  search.hurry();
  team[0]?.fail();
  for (let task = 0; task < 6; task += 1) for (const worker of team.slice(1)) worker.answer(null);
  const starts = team.slice(1).flatMap(({ tasks }) => tasks.map(([start]) => start));
  expect(starts.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5].map((task) => task * TASK));
  expect(await search.found).toBeNull();
  const alone = setUp();
  const lost = alone.searchTo(10);
  alone.team[0]?.fail();
  expect(await lost.found).toBeNull();
});
