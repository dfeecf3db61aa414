import { createContext, use } from 'react';
import type { Site } from '#shared/site.ts';

/** What the pages use of the browser beyond the DOM. */
export type Browser = {
  readonly fetch: typeof globalThis.fetch;
  readonly isOnline: () => boolean;
  /** The visitor asked the browser to save data. */
  readonly savesData: () => boolean;
  /** Runs `task` once after `delayMs`, unless it is cancelled with what this returns. */
  readonly after: (delayMs: number, task: () => void) => () => void;
};

/** The only place that touches these globals. */
export const windowBrowser: Browser = {
  fetch: (input, init) => window.fetch(input, init),
  isOnline: () => navigator.onLine,
  // Not every browser has it, and the types of the platform therefore lack it.
  savesData: () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true,
  after: (delayMs, task) => {
    const timer = window.setTimeout(task, delayMs);
    return () => window.clearTimeout(timer);
  },
};

/** What a page is given from outside. */
export type Environment = { readonly site: Site; readonly browser: Browser };

export const EnvironmentContext = createContext<Environment | undefined>(undefined);

export const useEnvironment = (): Environment => {
  const environment = use(EnvironmentContext);
  if (environment === undefined) throw new Error('There is no EnvironmentContext.');
  return environment;
};
