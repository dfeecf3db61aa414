import { expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { inspectPostgres } from './postgres-database.ts';
import { refuseOldServer, refuseStandby } from './refusals.ts';

const URL = 'postgres://whoflake:hunter2@db.example.org:6432/site';

it('a server is new enough from version 14 on', () => {
  expect(() => refuseOldServer(130_022, URL)).toThrow(
    'The PostgreSQL server of db.example.org:6432/site is version 13: upgrade it: version 14 or newer is needed.',
  );
  expect(() => refuseOldServer(140_000, URL)).not.toThrow();
});

it('a standby is refused, but may be tried again', () => {
  expect(() => refuseStandby(true, URL)).toThrow(expect.objectContaining({ exitCode: databaseUnreachable }));
  expect(() => refuseStandby(false, URL)).not.toThrow();
});

const { databaseUnusable, databaseUnreachable } = EXIT;
it('a file of an authority that is not there is told apart from a server that is down', async () => {
  const nowhere = 'postgres://me@127.0.0.1:1/site';
  const withoutFile = `${nowhere}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;
  await expect(inspectPostgres(withoutFile)).rejects.toMatchObject({ exitCode: databaseUnusable });
  for (const down of [nowhere, 'postgres:///site?host=/nowhere'])
    await expect(inspectPostgres(down)).rejects.toMatchObject({ exitCode: databaseUnreachable });
});
