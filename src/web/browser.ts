type CancelTimer = () => void;

/** What the pages use of the browser beyond the DOM. The only file that touches these globals. */
export type Browser = {
  readonly fetch: typeof globalThis.fetch;
  /** Runs `task` once after `delayMs`. */
  readonly after: (delayMs: number, task: () => void) => CancelTimer;
};

export const browserOfThisPage: Browser = {
  fetch: (input, init) => window.fetch(input, init),
  after: (delayMs, task) => {
    const timer = window.setTimeout(task, delayMs);
    return () => window.clearTimeout(timer);
  },
};
