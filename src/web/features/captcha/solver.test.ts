import { describe, expect, it } from 'vitest';
import type { SolverWorker } from './challenge-search.ts';
import { createSolver } from './solver.ts';

const PUZZLE = { salt: 's', challenge: 'c', maxNumber: 1_000_000 };

const setUp = () => {
  const team: { heard: string[]; ended: boolean; fail: () => void }[] = [];
  const timers: { readonly ms: number; readonly ring: () => void; cancelled: boolean }[] = [];
  const startWorker = (): SolverWorker => {
    const events = new EventTarget();
    const member = {
      heard: [] as string[],
      ended: false,
      fail: () => void events.dispatchEvent(new Event('error')),
    };
    team.push(member);
    return {
      addEventListener: (type, listener) => events.addEventListener(type, listener as EventListener),
      postMessage: (message) => void member.heard.push((message as { type: string }).type),
      terminate: () => void (member.ended = true),
    };
  };
  const solver = createSolver({
    startWorker,
    workers: [2, 3],
    nowMs: () => 0,
    after: (ms, ring) => {
      const timer = { ms, ring, cancelled: false };
      timers.push(timer);
      return () => void (timer.cancelled = true);
    },
  });
  return { solver, team, timers };
};

describe('workers that are there before the puzzle', () => {
  it.each([
    [1, 1],
    [5, 5],
    [64, 16],
  ])('are %i if the server asks for so many, but 16 at most', (workers, started) => {
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
    expect(team[0]?.heard).toEqual(['warm-up']);
    search.end();
    expect(await search.found).toBeNull();
  });
});
