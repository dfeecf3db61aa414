/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
import type { Search, Solution, SolverWorker } from './challenge-search.ts';

type Work = { readonly type: 'work'; readonly payload: { readonly challenge: string } };

export type WidgetMessage = Work | { readonly type: 'abort' };

/** One attempt at a challenge. Finds null if there is no solution, and once it is ended. */
export type Solving = Pick<Search, 'found' | 'end'>;

/**
 * What the widget takes for one of its workers. The widget waits for one answer from each, for ever, so this gives
 * exactly one: also when it is told to abort, and when nothing is found.
 */
export const createWidgetWorker = (solve: (work: Work) => Solving) => {
  const answers = new EventTarget();
  let solving: Solving | undefined;
  let over = false;

  const answer = (solution: Solution | null): void => {
    if (over) return;
    over = true;
    const data = solution && { ...solution, worker: true };
    answers.dispatchEvent(new MessageEvent('message', { data }));
  };

  return {
    addEventListener: (type: 'message', listener: (event: MessageEvent) => void): void =>
      answers.addEventListener(type, listener as EventListener),
    postMessage: (message: WidgetMessage): void => {
      if (over) return;
      if (message.type === 'work') {
        solving = solve(message);
        void solving.found.then(answer);
      } else {
        answer(null);
        solving?.end();
      }
    },
    terminate: (): void => {
      over = true;
      solving?.end();
    },
  };
};

/** Solves with the widget's own worker, which does not hear an abort while it is busy. */
export const solveWithStockWorker = (worker: SolverWorker, work: Work): Solving => {
  const { promise: found, resolve } = Promise.withResolvers<Solution | null>();
  const settle = (solution: Solution | null): void => {
    worker.terminate();
    resolve(solution);
  };
  worker.addEventListener('message', (event) => settle(event.data as Solution | null));
  // Its script could not be loaded.
  worker.addEventListener('error', () => settle(null));
  worker.postMessage(work);
  return { found, end: () => settle(null) };
};
