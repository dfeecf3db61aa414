import { existsSync } from 'node:fs';

export type EngineName = 'chromium' | 'firefox' | 'webkit';

/** A browser engine, started for one worker. */
export type Engine = AsyncDisposable & {
  /** A tab that shares nothing with those before it. */
  readonly openTab: () => Promise<Tab>;
};

/** As little of a browser as every engine can be asked for in its own protocol. */
export type Tab = AsyncDisposable & {
  readonly goTo: (url: string) => Promise<void>;
  /** Calls the function in the page. Both ways only JSON passes. */
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

/** What an engine needs of the machine: `null` if all is there, else what is missing. */
export const missingOf = (programs: readonly string[]): string | null =>
  programs.find((path) => !existsSync(path)) ?? null;

/** The function and its arguments as text that runs in any page: it takes one JSON text and gives another. */
export const asPageCode = (task: (...args: never) => unknown): string =>
  `(json) => { const value = (${String(task)})(...JSON.parse(json)); return value === undefined ? 'null' : JSON.stringify(value); }`;
