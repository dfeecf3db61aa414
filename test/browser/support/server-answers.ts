import type { Page } from '@playwright/test';

export type JsonAnswer = { readonly status: number; readonly json?: unknown };

export const answer = (page: Page, path: string, { status, json }: JsonAnswer): Promise<unknown> =>
  page.route(path, (route) => route.fulfill(json === undefined ? { status } : { status, json }));

/** Answers the requests to the path in this order, the last answer for all that follow, and keeps what was sent. */
export const answerInOrder = async (
  page: Page,
  path: string,
  ...answers: readonly JsonAnswer[]
): Promise<Record<string, string>[]> => {
  const bodies: Record<string, string>[] = [];
  await page.route(path, async (route) => {
    bodies.push(route.request().postDataJSON() as Record<string, string>);
    const { status, json } = answers[bodies.length - 1] ?? answers.at(-1)!;
    await route.fulfill(json === undefined ? { status } : { status, json });
  });
  return bodies;
};

/** Leaves a section out of the texts of the next page: what would show it cannot be drawn. */
export const withoutTexts = (page: Page, section: string): Promise<unknown> =>
  page.addInitScript((name) => {
    const cut = (): void => {
      const data = document.getElementById('data');
      if (data === null || sessionStorage.getItem('cut') !== null) return;
      sessionStorage.setItem('cut', name);
      data.textContent = data.textContent.replace(`"${name}":`, '"cut":');
    };
    // Before the page's modules run.
    document.addEventListener('readystatechange', cut);
  }, section);

export const hold = (page: Page, path: string): Promise<unknown> => page.route(path, () => undefined);

export const holdUntilReleased = async (page: Page, url: string | RegExp): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.fallback();
  });
  return resolve;
};

/** The bodies that are posted to a path, which then is answered as always. */
export const sentTo = (page: Page, path: string): Record<string, string>[] => {
  const bodies: Record<string, string>[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(path)) bodies.push(request.postDataJSON() as Record<string, string>);
  });
  return bodies;
};

/** The paths of all calls to the server that a visitor waits for. */
export const callsFrom = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (['/challenge', '/lookup', '/donate-token', '/withdraw-token'].includes(pathname))
      calls.push(pathname);
  });
  return calls;
};
