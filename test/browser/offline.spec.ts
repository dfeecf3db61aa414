import type { Page } from '@playwright/test';
import german from '#texts/de.json' with { type: 'json' };
import { expect, test } from './support/browser-test.ts';
import { card, idField, ids } from './support/lookup-page.ts';

test.use({ serviceWorkers: 'allow' });

const keptPaths = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const kept = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
    return (await Promise.all(kept)).flat().map(({ url }) => new URL(url).pathname);
  });

test('offline the lookup page decodes IDs, and nothing else is served', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  const shared = new URLSearchParams({ title: 'Chat', text: `It is <@${ids.ordinary}>`, url: '' });
  const opened = await page.goto(`/?${shared}`);
  const redirected = await opened?.request().redirectedFrom()?.response();
  expect(redirected?.fromServiceWorker(), 'what is shared stays from the server').toBe(true);
  await expect(card(page)).toContainText('Marlow Finch');
  await page.goto('/de');
  await expect.poll(() => keptPaths(page)).toContain('/de/offline.html');
  const allowed = /^\/(?:assets\/.+\.(?:js|woff2)|(?:de\/)?offline\.html|favicon\.svg)$/;
  expect((await keptPaths(page)).filter((path) => !allowed.test(path))).toEqual([]);

  await context.setOffline(true);
  expect(await page.evaluate(() => fetch('/status.json').catch(() => 'failed'))).toBe('failed');
  // The browser's own error page comes a moment later, and would interrupt what the same page does next.
  const other = await context.newPage();
  await expect(other.goto('/privacy')).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  await other.close();
  await page.goto('/de');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(german.offline.title);
  await page.getByRole('textbox').fill(ids.ordinary);
  await expect(page.getByRole('main')).toContainText('4. Mai 2018');
  await page.goto(`/?id=${ids.bot}`);
  await expect(page.getByRole('heading', { level: 1, name: 'No connection' })).toBeVisible();
  await expect(idField(page)).toHaveValue(ids.bot);
  await context.setOffline(false);
  await expect(page.getByText('You’re back online.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(card(page)).toContainText('Snowplough');
});
