/** The browsers that Playwright cannot drive as Debian builds them. Chromium is what `test/browser` runs in. */
export type JourneyBrowser = 'firefox' | 'webkit';

export type Browser = AsyncDisposable & {
  /** A tab that shares nothing with those before it. */
  readonly openTab: () => Promise<Tab>;
};

/** As little as every browser can be asked for in its own protocol. */
export type Tab = AsyncDisposable & {
  readonly goTo: (url: string) => Promise<void>;
  /** Calls the function in the page. Arguments and result pass as JSON. */
  readonly run: <Args extends readonly unknown[], T>(task: (...args: Args) => T, ...args: Args) => Promise<T>;
  /** Real input, in the words of WebDriver, which are those of WebDriver BiDi. */
  readonly act: (sources: readonly object[]) => Promise<void>;
  readonly traverseHistory: (delta: -1 | 1) => Promise<void>;
};

/** The function as text that runs in any page: it takes its arguments as one JSON text and returns another. */
export const asPageCode = (task: (...args: never) => unknown): string =>
  `(json) => JSON.stringify((${String(task)})(...JSON.parse(json)) ?? null)`;
