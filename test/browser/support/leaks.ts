import type { Page } from '@playwright/test';

/** Notes every place where a secret shows up, but the one request that is to carry it. */
export const watchForLeaks = (
  page: Page,
  { secret, path }: { readonly secret: string; readonly path: string },
): { readonly found: () => Promise<string[]> } => {
  const leaks: string[] = [];
  const note = (place: string, text: string | null): unknown => text?.includes(secret) && leaks.push(place);
  page.on('console', (message) => note('console', message.text()));
  page.on('request', (request) => {
    note('address', decodeURIComponent(request.url()));
    if (!request.url().endsWith(path)) note(request.url(), request.postData());
  });
  return {
    found: async () => {
      note('page address', page.url());
      note('storage', await page.evaluate(() => JSON.stringify([localStorage, sessionStorage])));
      note('page', await page.content());
      return leaks;
    },
  };
};
