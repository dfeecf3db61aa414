/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */

export type SearchWorker = {
  readonly addEventListener: (type: 'message' | 'error', listener: (event: MessageEvent) => void) => void;
  readonly postMessage: (message: unknown) => void;
  readonly terminate: () => void;
};

export type Puzzle = {
  readonly algorithm: string;
  readonly salt: string;
  readonly challenge: string;
  readonly maxNumber: number;
};

export type Solution = { readonly number: number; readonly took: number };

export type RangeSearch = {
  /** Null if there is no such number, if no worker is left, and once the search was ended. */
  readonly found: Promise<Solution | null>;
  /** How much of the range was searched, from 0 to 1. The number may be anywhere in it. */
  readonly share: () => number;
  readonly useWorkers: (count: number) => void;
  readonly end: () => void;
};

export type SearchDeps = {
  readonly startWorker: () => SearchWorker;
  readonly nowMs: () => number;
};

const NUMBERS_PER_TASK = 50_000;

type Task = { readonly start: number; readonly end: number };

/** Searches the range task by task, so that workers can join at any time, and others take over from one that dies. */
export const searchRange = (puzzle: Puzzle, { startWorker, nowMs }: SearchDeps): RangeSearch => {
  const { promise: found, resolve } = Promise.withResolvers<Solution | null>();
  const tasksOf = new Map<SearchWorker, Task[]>();
  const abandoned: Task[] = [];
  const total = puzzle.maxNumber + 1;
  const startedMs = nowMs();
  let nextStart = 0;
  let searched = 0;
  let settled = false;

  const settle = (solution: Solution | null): void => {
    settled = true;
    for (const worker of tasksOf.keys()) worker.terminate();
    resolve(solution);
  };
  const nextTask = (): Task | undefined => {
    if (nextStart >= total) return abandoned.pop();
    const start = nextStart;
    nextStart = Math.min(start + NUMBERS_PER_TASK, total);
    return { start, end: nextStart };
  };
  const giveTask = (worker: SearchWorker): void => {
    const task = nextTask();
    if (task === undefined) return;
    tasksOf.get(worker)?.push(task);
    worker.postMessage({ puzzle, start: task.start, end: task.end });
  };
  const receive = (worker: SearchWorker, answer: { readonly number: number } | null): void => {
    if (settled) return;
    if (answer) return settle({ number: answer.number, took: Math.round(nowMs() - startedMs) });
    const task = tasksOf.get(worker)?.shift();
    searched += task ? task.end - task.start : 0;
    if (searched === total) settle(null);
    else giveTask(worker);
  };
  const removeWorker = (worker: SearchWorker): void => {
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
    worker.addEventListener('message', ({ data }) => receive(worker, data as Solution | null));
    worker.addEventListener('error', () => removeWorker(worker));
    giveTask(worker);
    // A second one in its queue, so that it does not wait for a busy page.
    giveTask(worker);
  };

  return {
    found,
    share: () => searched / total,
    useWorkers: (count) => {
      for (let more = count - tasksOf.size; more > 0; more -= 1)
        if (!settled && nextStart < total) addWorker();
    },
    end: () => {
      if (!settled) settle(null);
    },
  };
};
