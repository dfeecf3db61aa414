import type { Page } from '@playwright/test';
import { startAppProcess } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import german from '#texts/de.json' with { type: 'json' };
import { expect, test } from './support/browser-test.ts';
import { card, idField, ids } from './support/lookup-page.ts';

test.use({ serviceWorkers: 'allow' });

const keptPaths = (page: Page): Promise<string[][]> =>
  page.evaluate(async () => {
    const names = await caches.keys();
    return Promise.all(
      names.map(async (name) => {
        const requests = await (await caches.open(name)).keys();
        return requests.map(({ url }) => new URL(url).pathname);
      }),
    );
  });

const visit = async (page: Page, address = '/'): Promise<void> => {
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
};

const offlineHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'No connection' });

test('without a network the lookup page decodes IDs, and nothing else is served', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/);
  await visit(page);
  await context.setOffline(true);
  await idField(page).fill(ids.bot);
  await expect(page.getByRole('alert')).toContainText(
    'You seem to be offline. Reconnect, then press Lookup again.',
  );
  await context.setOffline(false);
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await expect(card(page)).toContainText('Snowplough');
  const shared = new URLSearchParams({ title: 'Chat', text: `It is <@${ids.ordinary}>`, url: '' });
  const opened = await page.goto(`/?${shared}`);
  const redirected = await opened?.request().redirectedFrom()?.response();
  expect(redirected?.fromServiceWorker()).toBe(true);
  await expect(card(page)).toContainText('Marlow Finch');
  await expect(page).toHaveURL(`/?id=${ids.ordinary}`);
  await page.goto('/status');
  await expect(page.getByText('Updated just now')).toBeVisible();
  await page.goto('/');
  const [kept = [], ...others] = await keptPaths(page);
  expect(others).toEqual([]);
  expect(kept).toEqual(
    expect.arrayContaining(['/offline.html', '/favicon.svg', expect.stringMatching(/^\/assets\/offline-/)]),
  );
  expect(
    kept.filter((path) => !/^\/(?:assets\/.+\.(?:js|woff2)|offline\.html|favicon\.svg)$/.test(path)),
  ).toEqual([]);
  await context.setOffline(true);
  for (const path of ['/status.json', '/challenge', '/healthz'])
    expect(await page.evaluate((asked) => fetch(asked).catch(() => 'failed'), path)).toBe('failed');
  for (const path of ['/status', '/privacy', '/offline']) {
    // The browser's own error page comes a moment later, and would interrupt what the same page does next.
    const other = await context.newPage();
    await expect(other.goto(path)).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
    await other.close();
  }

  await page.goto(`/?id=${ids.bot}`);
  await expect(offlineHeading(page)).toBeVisible();
  await expect(idField(page)).toHaveValue(ids.bot);
  await expect(page.getByRole('main')).toContainText('lookups need the network');
  await idField(page).fill(`<@${ids.ordinary}>`);
  await expect(idField(page)).toHaveValue(ids.ordinary);
  await expect(page.getByRole('main')).toContainText('4 May 2018');
  await context.setOffline(false);
  await expect(page.getByText('You’re back online.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(offlineHeading(page)).toHaveCount(0);
  await expect(card(page)).toContainText('Snowplough');
});

test('a new version replaces the old one at the next visit; a restart changes nothing', async ({
  page,
  context,
}) => {
  const port = String(await freePort());
  // Pictures of the sandbox are on the page by their address.
  const settings = { PORT: port, SANDBOX_PORT: String(await freePort()) };
  const whileServed = async (BRAND_NAME: string, look: (origin: string) => Promise<void>): Promise<void> => {
    await using app = startAppProcess({ ...settings, BRAND_NAME });
    await look(await app.origin);
  };
  const kept = (): Promise<string[]> => page.evaluate(() => caches.keys());
  const workerAt = async (origin: string): Promise<string> =>
    (await page.request.get(`${origin}/service-worker.js`)).text();
  let old: string[] = [];
  let worker = '';
  await whileServed('Oldflake', async (origin) => {
    await visit(page, origin);
    old = await kept();
    worker = await workerAt(origin);
  });
  await whileServed('Oldflake', async (origin) => expect(await workerAt(origin)).toBe(worker));
  await whileServed('Newflake', async (origin) => {
    await page.goto(origin);
    await expect(page.getByRole('banner')).toContainText('Newflake');
    await expect.poll(kept).not.toEqual(old);
    await expect.poll(kept).toHaveLength(1);
    await context.setOffline(true);
    await page.goto(origin);
    await expect(offlineHeading(page)).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('Newflake');
  });
});

test('without a network a language that was visited has its own page', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/);
  await visit(page);
  await page.goto('/de');
  await expect.poll(() => keptPaths(page)).toEqual([expect.arrayContaining(['/de/offline.html'])]);
  await context.setOffline(true);
  await page.goto('/de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(german.offline.title);
  await page.getByRole('textbox').fill(ids.ordinary);
  await expect(page.getByRole('main')).toContainText('4. Mai 2018');
  await page.goto('/ja');
  await expect(offlineHeading(page)).toBeVisible();
});
