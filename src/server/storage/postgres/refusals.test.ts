import { expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { inspectPostgres } from './postgres-database.ts';
import { refuseServer } from './database-url.ts';

const URL = 'postgres://whoflake:hunter2@db.example.org:6432/site';

const engine = 'PostgreSQL 14.23 on x86_64-pc-linux-gnu';

it.each([
  ['CockroachDB', 'CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu)'],
  ['YugabyteDB', 'PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu'],
])('%s, which only speaks the protocol, is refused by its name', (name, version) => {
  expect(() => refuseServer({ engine: version, version: 150_002, standby: false }, URL)).toThrow(
    `The PostgreSQL server of db.example.org:6432/site is ${name}: PostgreSQL itself is needed.`,
  );
});

it('a server is new enough from version 14 on', () => {
  expect(() => refuseServer({ engine, version: 130_022, standby: false }, URL)).toThrow(
    'The PostgreSQL server of db.example.org:6432/site is version 13: upgrade it: version 14 or newer is needed.',
  );
  expect(() => refuseServer({ engine, version: 140_000, standby: false }, URL)).not.toThrow();
});

it('a standby is refused, but may be tried again', () => {
  const standby = { engine, version: 140_000, standby: true };
  expect(() => refuseServer(standby, URL)).toThrow(
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
