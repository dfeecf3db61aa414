/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
export type SolverMessage =
  | { readonly type: 'work'; readonly payload: { readonly algorithm: string } }
  | { readonly type: 'abort' };

/** What is needed of a real worker. */
type RealWorker = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>;

/**
 * The widget waits for one answer from each of its workers, for ever. This one always gives exactly one:
 * also when told to abort, which a busy worker would not hear, and when its script cannot be loaded.
 */
export const createAbortableWorker = (startWorker: (algorithm: string) => RealWorker) => {
  const answers = new EventTarget();
  let worker: RealWorker | undefined;
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
      worker = startWorker(message.payload.algorithm);
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
