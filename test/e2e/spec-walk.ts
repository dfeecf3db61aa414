import type { Page } from '@playwright/test';
import { test, type PageProblems } from './support.ts';

type Walker = { readonly page: Page; readonly problems: PageProblems };

/** One line of the specification, and how a browser sees that it is kept. */
export type SpecRow = {
  readonly row: string;
  readonly check: (walker: Walker) => Promise<unknown>;
};

/** Rows that one look at a screen answers. */
export const walkTogether = (
  title: string,
  open: (page: Page) => Promise<unknown>,
  rows: readonly SpecRow[],
): void => {
  test(title, async ({ page, problems }) => {
    await open(page);
    for (const { row, check } of rows) await test.step(row, () => check({ page, problems }));
  });
};

/** Rows that each start afresh, but in the same page: to open one takes longer than most rows do. */
export const walkInTurn = (title: string, rows: readonly SpecRow[]): void => {
  test(title, async ({ page, problems }) => {
    test.slow();
    for (const { row, check } of rows) {
      // Left first: what a row has held back would otherwise go on in the next one.
      await page.goto('/contact');
      await page.unrouteAll();
      await test.step(row, () => check({ page, problems }));
    }
  });
};

/** Rows that each need a page of their own. */
export const walkEach = (rows: readonly SpecRow[]): void => {
  for (const { row, check } of rows) {
    test(row, async ({ page, problems }) => {
      await check({ page, problems });
    });
  }
};
