import pg from 'pg';
import { expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { parseDatabaseUrl, refuseServer } from './database-url.ts';
import { inspectPostgres } from './postgres-database.ts';

/** What the driver makes of it: whom it connects to, with TLS that checks the certificate or not, and whether others can read along. */
const driven = (text: string) => {
  const parsed = parseDatabaseUrl(text);
  if (!parsed.ok) return parsed.problem;
  const { host, ssl } = new pg.Client(parsed.url) as unknown as { host: string; ssl: unknown };
  return [host, ssl === false ? 'plain' : ssl, parsed.isExposed];
};
const CHECKED = {};

it.each([
  ['postgres://db/site', ['db', CHECKED, false]],
  ['postgres://db/site?sslmode=require', ['db', CHECKED, false]],
  ['postgres://127.0.0.1/site?host=db', ['db', CHECKED, false]],
  ['postgres://db/site?sslmode=disable', ['db', 'plain', true]],
  ['postgres://127.0.0.1/site', ['127.0.0.1', 'plain', false]],
  ['postgres://[::1]/site', ['::1', 'plain', false]],
  ['postgresql:///site?host=/run/postgresql', ['/run/postgresql', 'plain', false]],
  ['postgres://me@%2Frun%2Fpg/site', ['/run/pg', 'plain', false]],
])('the driver makes %j of an address', (text, expected) => expect(driven(text)).toEqual(expected));

const BROKEN = 'db/site mysql://db/site postgres://db postgres://u:%zz@db/site postgres://db/site#x'.split(
  ' ',
);
const QUERIES = [
  'ssl=0',
  'SSLMODE=require',
  'max=1000',
  'sslmode=require&sslmode=disable',
  'host=localhost&host=db',
];
it.each([
  ...['prefer', 'no-verify', 'Require', ''].map((mode) => [
    `sslmode to be verify-full, or disable`,
    `postgres://localhost/site?sslmode=${mode}`,
  ]),
  ...QUERIES.map((query) => ['no parameters but host, ', `postgres://db/site?${query}`]),
  ['no certificates with sslmode=disable', 'postgres://db/site?sslmode=disable&sslrootcert=/ca.pem'],
  ...[...BROKEN, 'postgres://db/%zz', 'postgres://db/site?port=x'].map((url) => ['an address', url]),
])('expected %s: the address %s is refused', (expected, text = '') => {
  expect(String(driven(text)).startsWith(`expected ${expected}`)).toBe(true);
});

it('TLS is on, to a host that is not this machine, whatever the environment says', () => {
  const before = { ...process.env };
  Object.assign(process.env, { PGHOST: 'elsewhere', PGSSLMODE: 'no-verify' });
  try {
    expect(driven('postgresql:///site')).toEqual(['localhost', 'plain', false]);
    expect(driven('postgres://db/site')).toEqual(['db', CHECKED, false]);
  } finally {
    process.env = before;
  }
});

const SITE = 'postgres://whoflake:hunter2@db.example.org:6432/site';

const engine = 'PostgreSQL 14.23 on x86_64-pc-linux-gnu';

it.each([
  ['CockroachDB', 'CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu)'],
  ['YugabyteDB', 'PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu'],
])('%s, which only speaks the protocol, is refused by its name', (name, version) => {
  expect(() => refuseServer({ engine: version, version: 150_002, standby: false }, SITE)).toThrow(
    `The PostgreSQL server of db.example.org:6432/site is ${name}: PostgreSQL itself is needed.`,
  );
});

it('a server is new enough from version 14 on', () => {
  expect(() => refuseServer({ engine, version: 130_022, standby: false }, SITE)).toThrow(
    'The PostgreSQL server of db.example.org:6432/site is version 13: upgrade it: version 14 or newer is needed.',
  );
  expect(() => refuseServer({ engine, version: 140_000, standby: false }, SITE)).not.toThrow();
});

it('a standby is refused, but may be tried again', () => {
  const standby = { engine, version: 140_000, standby: true };
  expect(() => refuseServer(standby, SITE)).toThrow(
    expect.objectContaining({ exitCode: databaseUnreachable }),
  );
});

const { databaseUnusable, databaseUnreachable } = EXIT;
it('a file of an authority that is not there is told apart from a server that is down', async () => {
  const nowhere = 'postgres://me@127.0.0.1:1/site';
  const withoutFile = `${nowhere}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;
  await expect(inspectPostgres(withoutFile)).rejects.toMatchObject({ exitCode: databaseUnusable });
  for (const down of [nowhere, 'postgres:///site?host=/nowhere'])
    await expect(inspectPostgres(down)).rejects.toMatchObject({ exitCode: databaseUnreachable });
});
