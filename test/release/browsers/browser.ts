import { existsSync } from 'node:fs';

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
  /** Real input, as WebDriver and WebDriver BiDi both describe it. */
  readonly act: (sources: readonly InputSource[]) => Promise<void>;
  readonly traverseHistory: (delta: -1 | 1) => Promise<void>;
};

export type InputSource =
  | { readonly type: 'key'; readonly id: string; readonly actions: readonly KeyAction[] }
  | {
      readonly type: 'pointer';
      readonly id: string;
      readonly parameters: { readonly pointerType: 'mouse' };
      readonly actions: readonly PointerAction[];
    };

export type KeyAction = { readonly type: 'keyDown' | 'keyUp'; readonly value: string };

export type PointerAction =
  | { readonly type: 'pointerMove'; readonly x: number; readonly y: number }
  | { readonly type: 'pointerDown' | 'pointerUp'; readonly button: 0 };

/** The first of these programs that this machine lacks; `null` if it has them all. */
export const missingOf = (programs: readonly string[]): string | null =>
  programs.find((path) => !existsSync(path)) ?? null;

/** The function as text that runs in any page: it takes its arguments as one JSON text and returns another. */
export const asPageCode = (task: (...args: never) => unknown): string =>
  `(json) => { const value = (${String(task)})(...JSON.parse(json)); return value === undefined ? 'null' : JSON.stringify(value); }`;
