/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
import { windowBrowser, type Browser } from '../../browser.ts';
import {
  createSearch,
  type Puzzle,
  type Search,
  type SearchDeps,
  type SolverWorker,
} from './challenge-search.ts';

/** Solves puzzles with workers that may be started before the puzzle arrives: starting one takes as long as a search. */
export type Solver = {
  readonly prepare: () => void;
  readonly dismiss: () => void;
  readonly search: (puzzle: Puzzle) => Search;
};

const MOST_WORKERS = 16;
const KEEP_MS = 60_000;

export const createSolver = (deps: SearchDeps & Pick<Browser, 'after'>): Solver => {
  const ready = new Set<SolverWorker>();
  let cancelDismissal = (): void => undefined;

  const dismiss = (): void => {
    for (const worker of ready) worker.terminate();
    ready.clear();
  };
  const addWorker = (): void => {
    const worker = deps.startWorker();
    ready.add(worker);
    worker.addEventListener('error', () => ready.delete(worker));
    worker.postMessage({ type: 'warm-up' });
  };
  const takeWorker = (): SolverWorker => {
    const [worker = deps.startWorker()] = ready;
    ready.delete(worker);
    return worker;
  };

  return {
    prepare: () => {
      while (ready.size < deps.workers[0]) addWorker();
      cancelDismissal();
      cancelDismissal = deps.after(KEEP_MS, dismiss);
    },
    dismiss,
    search: (puzzle) => {
      const most = Math.max(1, Math.min(puzzle.workers ?? deps.workers[1], MOST_WORKERS));
      const workers = [Math.min(deps.workers[0], most), most] as const;
      return createSearch(puzzle, { ...deps, workers, startWorker: takeWorker });
    },
  };
};

const UNKNOWN_CORES = 8;

/** As many as the widget would take. */
const countWorkers = (): SearchDeps['workers'] => {
  const most = Math.min(MOST_WORKERS, navigator.hardwareConcurrency || UNKNOWN_CORES);
  // In the background only half of them, so that the page stays responsive.
  return [Math.ceil(most / 2), most];
};

let solver: Solver | undefined;

export const pageSolver = (): Solver =>
  (solver ??= createSolver({
    startWorker: () => new Worker(new URL('./search/sha256-worker.ts', import.meta.url), { type: 'module' }),
    workers: countWorkers(),
    nowMs: () => performance.now(),
    after: windowBrowser.after,
  }));
