/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
type Work = { readonly type: 'work'; readonly payload: { readonly challenge: string } };

export type SolverMessage = Work | { readonly type: 'abort' };

/** What is needed of a real worker. */
export type SolverWorker = {
  readonly addEventListener: (type: 'message' | 'error', listener: (event: MessageEvent) => void) => void;
  readonly postMessage: (message: unknown) => void;
  readonly terminate: () => void;
};

/**
 * The widget waits for one answer from each of its workers, for ever. This one always gives exactly one:
 * also when told to abort, which a busy worker would not hear, and when its script cannot be loaded.
 */
export const createAbortableWorker = (startWorker: (work: Work) => SolverWorker) => {
  const answers = new EventTarget();
  let worker: SolverWorker | undefined;
  let settled = false;

  const settle = (answer: unknown): void => {
    if (settled) return;
    settled = true;
    worker?.terminate();
    answers.dispatchEvent(new MessageEvent('message', { data: answer }));
  };

  return {
    addEventListener: (type: 'message', listener: (event: MessageEvent) => void): void =>
      answers.addEventListener(type, listener as EventListener),
    postMessage: (message: SolverMessage): void => {
      if (message.type === 'abort') return settle(null);
      if (settled) return;
      worker = startWorker(message);
      worker.addEventListener('message', (event) => settle(event.data));
      worker.addEventListener('error', () => settle(null));
      worker.postMessage(message);
    },
    terminate: (): void => {
      settled = true;
      worker?.terminate();
    },
  };
};
