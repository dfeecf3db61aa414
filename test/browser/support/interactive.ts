import type { Page } from '@playwright/test';

export const watchForInteractive = (page: Page): Promise<unknown> =>
  page.addInitScript(() =>
    addEventListener('interactive', (event) => {
      document.documentElement.dataset['interactive'] = (event as CustomEvent<string>).detail;
    }),
  );

/** Resolves when a page that is watched hears the visitor: its frame, or its content too. */
export const interactive = (page: Page, part: 'frame' | 'app'): Promise<unknown> =>
  page.locator(part === 'app' ? 'html[data-interactive=app]' : 'html[data-interactive]').waitFor();

/** What comes before that is the matter of early-input.spec.ts. */
export const goToInteractive = async (page: Page, path: string, part: 'frame' | 'app'): Promise<void> => {
  await watchForInteractive(page);
  await page.goto(path);
  await interactive(page, part);
};
