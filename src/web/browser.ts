export type Browser = {
  readonly fetch: typeof globalThis.fetch;
  readonly isOnline: () => boolean;
  readonly isSeen: () => boolean;
  readonly savesData: () => boolean;
  readonly after: (delayMs: number, task: () => void) => () => void;
};

/** The only place that touches these globals. */
export const windowBrowser: Browser = {
  fetch: (input, init) => window.fetch(input, init),
  isOnline: () => navigator.onLine,
  // Not every browser has these, so they are missing from the DOM types.
  isSeen: () => !document.hidden && !(document as { prerendering?: boolean }).prerendering,
  savesData: () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true,
  after: (delayMs, task) => {
    const timer = window.setTimeout(task, delayMs);
    return () => window.clearTimeout(timer);
  },
};

export const mayStore = (): boolean => {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
};

/** Undefined also where the browser forbids it. */
export const readStored = (key: string): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
};

/** For the next page. Storage may be full, or forbidden: this page does not need it. */
export const keepStored = (key: string, value: string | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {}
};

export type CopyOutcome = 'copied' | 'failed';

/** There is no clipboard on a page that came over plain http, and the visitor may have forbidden it. */
export const copyText = (text: string): Promise<CopyOutcome> =>
  Promise.resolve()
    .then(() => navigator.clipboard.writeText(text))
    .then(
      () => 'copied',
      () => 'failed',
    );
