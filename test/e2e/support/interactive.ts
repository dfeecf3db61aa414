import type { Page } from '@playwright/test';

export const watchForInteractive = (page: Page): Promise<unknown> =>
  page.addInitScript(() =>
    addEventListener('interactive', () => document.documentElement.setAttribute('data-interactive', '')),
  );

/** Resolves when a page that is watched hears the visitor. */
export const interactive = (page: Page): Promise<unknown> => page.locator('html[data-interactive]').waitFor();

/** What comes before the page is interactive is the matter of early-input.spec.ts. */
export const goToInteractive = async (page: Page, path: string): Promise<void> => {
  await watchForInteractive(page);
  await page.goto(path);
  await interactive(page);
};
