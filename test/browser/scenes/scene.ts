import type { Page } from '@playwright/test';

/** One screen in one state. No two have the same parts with other words only. */
export type Scene = {
  readonly name: string;
  /** Resolves when all of it is there. */
  readonly open: (page: Page) => Promise<unknown>;
  /** The errors that the browser logs on the way, because the scene is about them. */
  readonly logs?: RegExp;
};

export const scene = (name: string, open: Scene['open']): Scene => ({ name, open });

/** One in which something fails. */
export const failing = (name: string, logs: RegExp, open: Scene['open']): Scene => ({ name, logs, open });
