import { expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { StorageFault } from '../storage-fault.ts';
import { inspectPostgres } from './postgres-database.ts';
import { describeUrl, refusalOf, refuseOldServer, refuseStandby } from './refusals.ts';

const URL = 'postgres://whoflake:hunter2@db.example.org:6432/site';

it.each([
  [URL, 'db.example.org:6432/site'],
  ['postgres://db/site?sslmode=require', 'db/site'],
  ['postgresql:///site?host=/run/postgresql', '/run/postgresql/site'],
  ['postgres://me@%2Frun%2Fpg/my%20site', '/run/pg/my site'],
  ['postgres://me:secret@[::1]:5432/site', '[::1]:5432/site'],
])('the address %s is told as %s', (url, told) => expect(describeUrl(url)).toBe(told));

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
it.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', databaseUnusable, 'name its authority with sslrootcert in DATABASE_URL.'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    databaseUnusable,
    'use a name that is in its certificate in DATABASE_URL.',
  ],
  ['57P03', databaseUnreachable, 'check that PostgreSQL is running and can be reached, and DATABASE_URL.'],
])('%s has exit code %i and a remedy of its own', (code, exitCode, remedy) => {
  expect(refusalOf(new StorageFault(code), URL)).toMatchObject({ exitCode, remedy });
});

it('a file of an authority that is not there is told apart from a server that is down', async () => {
  const nowhere = 'postgres://me@127.0.0.1:1/site';
  const withoutFile = `${nowhere}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;
  await expect(inspectPostgres(withoutFile)).rejects.toMatchObject({ exitCode: databaseUnusable });
  for (const down of [nowhere, 'postgres:///site?host=/nowhere'])
    await expect(inspectPostgres(down)).rejects.toMatchObject({ exitCode: databaseUnreachable });
});
