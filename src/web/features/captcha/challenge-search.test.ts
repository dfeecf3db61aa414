import { describe, expect, it } from 'vitest';
import { createSearch, type SolverWorker } from './challenge-search.ts';

const TASK = 50_000;

type Task = { readonly start: number; readonly max: number };

/** Workers that do nothing until they are told what they found. */
const setUp = (maxNumber: number) => {
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
      postMessage: (message) => void member.tasks.push(message as Task),
      terminate: () => void (member.ended = true),
    };
  };
  const puzzle = { salt: 's', challenge: 'c', maxNumber };
  const search = createSearch(puzzle, { startWorker, workers: [1, 3], nowMs: () => nowMs });
  return { search, team, pass: (ms: number) => void (nowMs += ms) };
};

const rangesOf = (tasks: readonly Task[]) => tasks.map(({ start, max }) => [start, max]);

describe('the search for a solution', () => {
  it('goes through the whole range, each number once, and ends without a solution', async () => {
    const { search, team } = setUp(TASK * 3);
    expect(search.share()).toBe(0);
    for (let task = 0; task < 4; task += 1) team[0]?.answer(null);
    expect(rangesOf(team[0]?.tasks ?? [])).toEqual([
      [0, TASK - 1],
      [TASK, 2 * TASK - 1],
      [2 * TASK, 3 * TASK - 1],
      [3 * TASK, 3 * TASK],
    ]);
    expect(search.share()).toBe(1);
    expect(await search.found).toBeNull();
  });

  it('takes more workers when somebody waits, but not more than there is to do', () => {
    const { search, team } = setUp(TASK * 3 - 1);
    expect(team).toHaveLength(1);
    search.hurry();
    expect(team).toHaveLength(2);
    const large = setUp(TASK * 100);
    large.search.hurry();
    large.search.hurry();
    expect(large.team).toHaveLength(3);
  });

  it('gives the number and how long it took, and lets all workers go', async () => {
    const { search, team, pass } = setUp(TASK * 100);
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
    const { search, team } = setUp(TASK * 6 - 1);
    search.hurry();
    expect(team).toHaveLength(3);
    team[0]?.answer(null);
    team[0]?.fail();
    expect(team[0]?.ended).toBe(true);
    for (let task = 0; task < 5; task += 1) for (const worker of team.slice(1)) worker.answer(null);
    const ranges = team.slice(1).flatMap(({ tasks }) => rangesOf(tasks));
    const whole = Array.from({ length: 5 }, (_, task) => [(task + 1) * TASK, (task + 2) * TASK - 1]);
    expect(ranges.toSorted(([a = 0], [b = 0]) => a - b)).toEqual(whole);
    expect(search.share()).toBe(1);
    expect(await search.found).toBeNull();
  });

  it('has no solution when every worker has died', async () => {
    const { search, team } = setUp(10);
    team[0]?.fail();
    expect(await search.found).toBeNull();
  });

  it('has none once it was ended, and keeps the one it had', async () => {
    const { search, team } = setUp(10);
    search.end();
    expect(await search.found).toBeNull();
    expect(team[0]?.ended).toBe(true);
    const solved = setUp(10);
    solved.team[0]?.answer({ number: 3 });
    solved.search.end();
    expect(await solved.search.found).toMatchObject({ number: 3 });
  });
});
