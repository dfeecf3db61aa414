import type { Page } from '@playwright/test';
import { startAppProcess, type AppProcess } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import german from '#texts/de.json' with { type: 'json' };
import { expect, test as base } from './support/browser-test.ts';
import { card, idField, ids } from './support/lookup-page.ts';

type Settings = Readonly<Record<string, string>>;
type ServedSite = { readonly origin: string; readonly serve: (settings?: Settings) => Promise<void> };

/** An address at which one server stands after another, as with each new version. */
const test = base.extend<{ site: ServedSite }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern
  site: async ({}, use) => {
    const port = await freePort();
    // Pictures of the sandbox are on the page by their address.
    const sandboxPort = await freePort();
    const origin = `http://localhost:${port}`;
    let app: AppProcess | undefined;
    await use({
      origin,
      serve: async (settings = {}) => {
        await app?.[Symbol.asyncDispose]();
        app = startAppProcess({
          PORT: String(port),
          SANDBOX_PORT: String(sandboxPort),
          POW_MAX_NUMBER: '1000',
          STOP_DELAY_SECONDS: '0',
          ...settings,
        });
        await app.origin;
      },
    });
    await app?.[Symbol.asyncDispose]();
  },
  baseURL: async ({ site }, use) => use(site.origin),
});

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

const visit = async (page: Page): Promise<void> => {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
};

const offlineHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'No connection' });

test('without a network the lookup page decodes IDs, and nothing else is served', async ({
  page,
  context,
  site,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/);
  await site.serve();
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
  site,
}) => {
  await site.serve({ BRAND_NAME: 'Oldflake' });
  await visit(page);
  const old = await page.evaluate(() => caches.keys());
  const worker = async (): Promise<string> => (await page.request.get('/service-worker.js')).text();
  const before = await worker();
  await site.serve({ BRAND_NAME: 'Oldflake' });
  expect(await worker()).toBe(before);
  await site.serve({ BRAND_NAME: 'Newflake' });
  await page.goto('/');
  await expect(page.getByRole('banner')).toContainText('Newflake');
  await expect.poll(() => page.evaluate(() => caches.keys())).not.toEqual(old);
  await expect.poll(() => page.evaluate(() => caches.keys())).toHaveLength(1);
  await context.setOffline(true);
  await page.goto('/');
  await expect(offlineHeading(page)).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Newflake');
});

test('without a network a language that was visited has its own page', async ({
  page,
  context,
  site,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/);
  await site.serve();
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
