import { describe, expect, it } from 'vitest';
import type { SolverWorker } from './challenge-search.ts';
import { createSolver } from './solver.ts';

const PUZZLE = { salt: 's', challenge: 'c', maxNumber: 1_000_000 };
const TASK = 50_000;

type Message = { readonly type: string; readonly start: number; readonly max: number };

/** Workers that do nothing until they are told what they found. */
const setUp = (workers: readonly [number, number] = [2, 3]) => {
  const team: { heard: Message[]; ended: boolean; answer: (data: unknown) => void; fail: () => void }[] = [];
  const timers: { readonly ms: number; readonly ring: () => void; cancelled: boolean }[] = [];
  let nowMs = 1_000;
  const startWorker = (): SolverWorker => {
    const events = new EventTarget();
    const member = {
      heard: [] as Message[],
      ended: false,
      answer: (data: unknown) => void events.dispatchEvent(new MessageEvent('message', { data })),
      fail: () => void events.dispatchEvent(new Event('error')),
    };
    team.push(member);
    return {
      addEventListener: (type, listener) => events.addEventListener(type, listener as EventListener),
      postMessage: (message) => void member.heard.push(message as Message),
      terminate: () => void (member.ended = true),
    };
  };
  const solver = createSolver({
    startWorker,
    workers,
    nowMs: () => nowMs,
    after: (ms, ring) => {
      const timer = { ms, ring, cancelled: false };
      timers.push(timer);
      return () => void (timer.cancelled = true);
    },
  });
  return { solver, team, timers, pass: (ms: number) => void (nowMs += ms) };
};

describe('workers that are there before the puzzle', () => {
  it.each([
    [1, 1],
    [5, 5],
    [64, 16],
  ])('§225 are %i if the server asks for so many, but 16 at most', (workers, started) => {
    const { solver, team } = setUp();
    solver.search({ ...PUZZLE, maxNumber: 1e9, workers }).hurry();
    expect(team).toHaveLength(started);
  });

  it('are let go a minute after they were last asked for, unless they search', () => {
    const { solver, team, timers } = setUp();
    solver.prepare();
    solver.prepare();
    expect(timers.map(({ ms, cancelled }) => [ms, cancelled])).toEqual([
      [60_000, true],
      [60_000, false],
    ]);
    timers[1]?.ring();
    expect(team.map(({ ended }) => ended)).toEqual([true, true]);
    solver.prepare();
    solver.search(PUZZLE);
    timers[2]?.ring();
    expect(team.slice(2).map(({ ended }) => ended)).toEqual([false, false]);
  });

  it('are not used if they failed meanwhile', async () => {
    const { solver, team } = setUp();
    solver.prepare();
    team[0]?.fail();
    const search = solver.search(PUZZLE);
    expect(team).toHaveLength(3);
    expect(team[0]?.heard).toEqual([{ type: 'warm-up' }]);
    search.end();
    expect(await search.found).toBeNull();
  });
});

const searchFor = (maxNumber: number) => {
  const { solver, ...rest } = setUp([1, 3]);
  return { search: solver.search({ ...PUZZLE, maxNumber }), ...rest };
};
const rangesOf = (heard: readonly Message[]) => heard.map(({ start, max }) => [start, max]);

describe('the search for a solution', () => {
  it('goes through the whole range, each number once, and ends without a solution', async () => {
    const { search, team } = searchFor(TASK * 3);
    expect(search.share()).toBe(0);
    for (let task = 0; task < 4; task += 1) team[0]?.answer(null);
    expect(rangesOf(team[0]?.heard ?? [])).toEqual([
      [0, TASK - 1],
      [TASK, 2 * TASK - 1],
      [2 * TASK, 3 * TASK - 1],
      [3 * TASK, 3 * TASK],
    ]);
    expect(search.share()).toBe(1);
    expect(await search.found).toBeNull();
  });

  it('takes more workers when somebody waits, but not more than there is to do', () => {
    const { search, team } = searchFor(TASK * 3 - 1);
    expect(team).toHaveLength(1);
    search.hurry();
    expect(team).toHaveLength(2);
    const large = searchFor(TASK * 100);
    large.search.hurry();
    large.search.hurry();
    expect(large.team).toHaveLength(3);
  });

  it('gives the number and how long it took, and lets all workers go', async () => {
    const { search, team, pass } = searchFor(TASK * 100);
    search.hurry();
    team[1]?.answer(null);
    expect(search.share()).toBeCloseTo(0.01);
    pass(250);
    team[2]?.answer({ number: 7 });
    expect(await search.found).toEqual({ number: 7, took: 250 });
    expect(team.every(({ ended }) => ended)).toBe(true);
    team[0]?.answer(null);
    search.hurry();
    expect(team).toHaveLength(3);
  });

  it('leaves the part of a worker that dies to the others', async () => {
    const { search, team } = searchFor(TASK * 6 - 1);
    search.hurry();
    expect(team).toHaveLength(3);
    team[0]?.answer(null);
    team[0]?.fail();
    expect(team[0]?.ended).toBe(true);
    for (let task = 0; task < 5; task += 1) for (const worker of team.slice(1)) worker.answer(null);
    const ranges = team.slice(1).flatMap(({ heard }) => rangesOf(heard));
    const whole = Array.from({ length: 5 }, (_, task) => [(task + 1) * TASK, (task + 2) * TASK - 1]);
    expect(ranges.toSorted(([a = 0], [b = 0]) => a - b)).toEqual(whole);
    expect(search.share()).toBe(1);
    expect(await search.found).toBeNull();
  });

  it('has no solution when every worker has died', async () => {
    const { search, team } = searchFor(10);
    team[0]?.fail();
    expect(await search.found).toBeNull();
  });

  it('has none once it was ended, and keeps the one it had', async () => {
    const { search, team } = searchFor(10);
    search.end();
    expect(await search.found).toBeNull();
    expect(team[0]?.ended).toBe(true);
    const solved = searchFor(10);
    solved.team[0]?.answer({ number: 3 });
    solved.search.end();
    expect(await solved.search.found).toMatchObject({ number: 3 });
  });
});
