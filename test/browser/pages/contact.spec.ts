import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../support/browser-test.ts';

const ADDRESS = 'hello@whoflake.example';
const LOADED = join(import.meta.dirname, '../../../dist/web');

const rotated = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

const reversed = (text: string): string => text.split('').toReversed().join('');

const withoutEntities = (text: string): string =>
  text
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&commat;/g, '@')
    .replaceAll(/&period;/g, '.');

const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\u\{?00([0-9a-f]{2})\}?|\\x([0-9a-f]{2})|%([0-9a-f]{2})/gi, (_, ...codes: string[]) =>
    String.fromCharCode(Number.parseInt(codes.slice(0, 3).find(Boolean) ?? '', 16)),
  );

/** What stands in any run of base64, wherever in a group of four it starts. */
const decodedRuns = (text: string): string =>
  (text.match(/[\w+/-]{12,}/g) ?? [])
    .flatMap((run) => [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')))
    .join('\n');

/** Every reading of a text in which a harvester could find an address. */
const readings = (text: string): string[] =>
  [
    text,
    withoutEntities(text),
    withoutEscapes(text),
    text.replaceAll(/<[^>]*>/g, ''),
    decodedRuns(text),
  ].flatMap((reading) => [reading, rotated(reading), reversed(reading)]);

const isGivenAwayBy = (text: string): boolean =>
  readings(text).some((reading) => reading.toLowerCase().includes(ADDRESS));

test('§66 the contact address is in no file and no answer, in any disguise that this test would find', async ({
  request,
}) => {
  const disguises = [
    ADDRESS,
    reversed(ADDRESS),
    rotated(ADDRESS),
    `x${Buffer.from(`mailto:${ADDRESS}?`).toString('base64')}`,
    ADDRESS.replace('@', '&#64;').replace('.', '&#x2e;'),
    ADDRESS.replace('@', String.raw`\u0040`),
    ADDRESS.replace('@', '%40'),
    'hello<b>@</b>whoflake.<!-- -->example',
  ];
  expect(disguises.filter((text) => !isGivenAwayBy(text))).toEqual([]);

  const files = readdirSync(LOADED, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:js|css|html|svg|json)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((name) => isGivenAwayBy(readFileSync(join(LOADED, name), 'utf8')))).toEqual([]);

  const paths = ['/', '/token-donation', '/donate', '/contact', '/nothing', '/?id=441997505123577857'];
  const answers = await Promise.all(
    [...paths, '/robots.txt', '/site.webmanifest', '/opensearch.xml', '/challenge'].map(async (path) => ({
      path,
      text: await (await request.get(path)).text(),
    })),
  );
  expect(answers.filter(({ text }) => isGivenAwayBy(text)).map(({ path }) => path)).toEqual([]);
});

test('§64–65 the contact address is read by people and by screen readers, copied by a button, and not in the markup', async ({
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
