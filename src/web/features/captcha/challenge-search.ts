/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */

/** What is needed of a real worker. */
export type SolverWorker = {
  readonly addEventListener: (type: 'message' | 'error', listener: (event: MessageEvent) => void) => void;
  readonly postMessage: (message: unknown) => void;
  readonly terminate: () => void;
};

export type Puzzle = { readonly salt: string; readonly challenge: string; readonly maxNumber: number };

export type Solution = { readonly number: number; readonly took: number };

export type Search = {
  readonly puzzle: Puzzle;
  /** Null if there is no such number, if a worker failed, and once the search was ended. */
  readonly found: Promise<Solution | null>;
  /** How much of the range was searched, from 0 to 1. The number may be anywhere in it. */
  readonly share: () => number;
  /** The visitor is waiting now: uses all the workers it may have. */
  readonly hurry: () => void;
  readonly end: () => void;
};

export type SearchDeps = {
  readonly startWorker: () => SolverWorker;
  /** How many workers: in the background, and while the visitor waits. */
  readonly workers: readonly [background: number, most: number];
  readonly nowMs: () => number;
};

/** Small enough to tell how far the search is, large enough to be worth the message. */
const NUMBERS_PER_TASK = 50_000;

/** Searches the range task by task, so that workers can join at any time. */
export const createSearch = (puzzle: Puzzle, { startWorker, workers, nowMs }: SearchDeps): Search => {
  const { promise: found, resolve } = Promise.withResolvers<Solution | null>();
  const team: SolverWorker[] = [];
  const total = puzzle.maxNumber + 1;
  const startedMs = nowMs();
  let given = 0;
  let searched = 0;
  let settled = false;

  const settle = (solution: Solution | null): void => {
    settled = true;
    for (const worker of team) worker.terminate();
    resolve(solution);
  };
  const giveTask = (worker: SolverWorker): void => {
    if (given >= total) return;
    const start = given;
    given = Math.min(start + NUMBERS_PER_TASK, total);
    worker.postMessage({ type: 'work', payload: puzzle, start, max: given - 1 });
  };
  const hear = (worker: SolverWorker, answer: { readonly number: number } | null): void => {
    if (settled) return;
    if (answer) return settle({ number: answer.number, took: Math.round(nowMs() - startedMs) });
    searched = Math.min(searched + NUMBERS_PER_TASK, total);
    if (searched === total) settle(null);
    else giveTask(worker);
  };
  const addWorker = (): void => {
    const worker = startWorker();
    team.push(worker);
    worker.addEventListener('message', (event) => hear(worker, event.data as Solution | null));
    worker.addEventListener('error', () => settle(null));
    giveTask(worker);
    // A second one in its queue, so that it does not wait for a busy page.
    giveTask(worker);
  };
  const growTo = (size: number): void => {
    for (let more = size - team.length; more > 0; more -= 1) if (!settled && given < total) addWorker();
  };

  growTo(workers[0]);
  return {
    puzzle,
    found,
    share: () => searched / total,
    hurry: () => growTo(workers[1]),
    end: () => {
      if (!settled) settle(null);
    },
  };
};
