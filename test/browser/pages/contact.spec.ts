import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../support/browser-test.ts';

const ADDRESS = 'hello@whoflake.example';
const LOADED = join(import.meta.dirname, '../../../dist/web');

/** As it is, and as a harvester would find it behind tags. */
const isGivenAwayBy = (text: string): boolean =>
  `${text} ${text.replaceAll(/<[^>]*>/g, '')}`.toLowerCase().includes(ADDRESS);

test('§66 the contact address is in no file and no answer', async ({ request }) => {
  const files = readdirSync(LOADED, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:js|css|html|svg|json)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((name) => isGivenAwayBy(readFileSync(join(LOADED, name), 'utf8')))).toEqual([]);

  const paths = ['/', '/token-donation', '/donate', '/contact', '/nothing', '/?id=441997505123577857'];
  for (const path of [...paths, '/robots.txt', '/site.webmanifest', '/opensearch.xml', '/challenge'])
    expect(isGivenAwayBy(await (await request.get(path)).text()), path).toBe(false);
});

test('§64–65 the contact address can be read and copied, but is not in the markup', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await page.goto('/contact');
  // What is shown for a moment stays until it was looked at.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  expect(isGivenAwayBy(await page.content())).toBe(false);
  expect(await page.getByRole('main').innerText()).toContain(ADDRESS);
  expect(await page.getByRole('main').ariaSnapshot()).toContain(ADDRESS);
  await page.getByRole('button', { name: 'Copy address' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ADDRESS);
});
