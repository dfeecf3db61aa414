/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */

export type SolverWorker = {
  readonly addEventListener: (type: 'message' | 'error', listener: (event: MessageEvent) => void) => void;
  readonly postMessage: (message: unknown) => void;
  readonly terminate: () => void;
};

export type Puzzle = {
  readonly salt: string;
  readonly challenge: string;
  readonly maxNumber: number;
  readonly workers?: number;
};

export type Solution = { readonly number: number; readonly took: number };

export type Search = {
  readonly puzzle: Puzzle;
  /** Null if there is no such number, if no worker is left, and once the search was ended. */
  readonly found: Promise<Solution | null>;
  /** How much of the range was searched, from 0 to 1. The number may be anywhere in it. */
  readonly share: () => number;
  /** The visitor is waiting now: uses all the workers it may have. */
  readonly hurry: () => void;
  readonly end: () => void;
};

export type SearchDeps = {
  readonly startWorker: () => SolverWorker;
  readonly workers: readonly [background: number, most: number];
  readonly nowMs: () => number;
};

const NUMBERS_PER_TASK = 50_000;

type Task = { readonly start: number; readonly end: number };

/** Searches the range task by task, so that workers can join at any time, and others take over from one that dies. */
export const createSearch = (puzzle: Puzzle, { startWorker, workers, nowMs }: SearchDeps): Search => {
  const { promise: found, resolve } = Promise.withResolvers<Solution | null>();
  const tasksOf = new Map<SolverWorker, Task[]>();
  const abandoned: Task[] = [];
  const total = puzzle.maxNumber + 1;
  const startedMs = nowMs();
  let given = 0;
  let searched = 0;
  let settled = false;

  const settle = (solution: Solution | null): void => {
    settled = true;
    for (const worker of tasksOf.keys()) worker.terminate();
    resolve(solution);
  };
  const nextTask = (): Task | undefined => {
    if (given >= total) return abandoned.pop();
    const start = given;
    given = Math.min(start + NUMBERS_PER_TASK, total);
    return { start, end: given };
  };
  const giveTask = (worker: SolverWorker): void => {
    const task = nextTask();
    if (task === undefined) return;
    tasksOf.get(worker)?.push(task);
    worker.postMessage({ type: 'work', payload: puzzle, start: task.start, max: task.end - 1 });
  };
  const receive = (worker: SolverWorker, answer: { readonly number: number } | null): void => {
    if (settled) return;
    if (answer) return settle({ number: answer.number, took: Math.round(nowMs() - startedMs) });
    const task = tasksOf.get(worker)?.shift();
    searched += task ? task.end - task.start : 0;
    if (searched === total) settle(null);
    else giveTask(worker);
  };
  const bury = (worker: SolverWorker): void => {
    abandoned.push(...(tasksOf.get(worker) ?? []));
    tasksOf.delete(worker);
    worker.terminate();
    if (settled) return;
    if (tasksOf.size === 0) settle(null);
    for (const other of tasksOf.keys()) giveTask(other);
  };
  const addWorker = (): void => {
    const worker = startWorker();
    tasksOf.set(worker, []);
    worker.addEventListener('message', (event) => receive(worker, event.data as Solution | null));
    worker.addEventListener('error', () => bury(worker));
    giveTask(worker);
    // A second one in its queue, so that it does not wait for a busy page.
    giveTask(worker);
  };
  const useWorkers = (count: number): void => {
    for (let more = count - tasksOf.size; more > 0; more -= 1) if (!settled && given < total) addWorker();
  };

  useWorkers(workers[0]);
  return {
    puzzle,
    found,
    share: () => searched / total,
    hurry: () => useWorkers(workers[1]),
    end: () => {
      if (!settled) settle(null);
    },
  };
};
