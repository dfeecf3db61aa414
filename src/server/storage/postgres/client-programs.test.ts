import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { libpqEnvironment } from './client-programs.ts';

const ALWAYS = { PGAPPNAME: 'whoflake', PGCONNECT_TIMEOUT: '10' };

it.each([
  [
    'postgres://me:p%40ss@127.0.0.1:6432/my%20site',
    {
      PGHOST: '127.0.0.1',
      PGPORT: '6432',
      PGUSER: 'me',
      PGPASSWORD: 'p@ss',
      PGDATABASE: 'my site',
      PGSSLMODE: 'disable',
    },
  ],
  [
    'postgresql:///site?host=/run/postgresql&user=me&password=secret&port=1&options=-c%20a%3Db',
    {
      PGHOST: '/run/postgresql',
      PGPORT: '1',
      PGUSER: 'me',
      PGPASSWORD: 'secret',
      PGDATABASE: 'site',
      PGOPTIONS: '-c a=b',
      PGSSLMODE: 'disable',
    },
  ],
  [
    'postgres://db/site?sslmode=require&sslrootcert=/ca.pem&sslcert=/me.pem&sslkey=/me.key',
    {
      PGHOST: 'db',
      PGDATABASE: 'site',
      PGSSLMODE: 'verify-full',
      PGSSLROOTCERT: '/ca.pem',
      PGSSLCERT: '/me.pem',
      PGSSLKEY: '/me.key',
    },
  ],
])('PostgreSQL’s programs read %s as the driver does', (url, expected) => {
  expect(libpqEnvironment(url, '/nowhere/authorities')).toEqual({ ...ALWAYS, ...expected });
});

it('PostgreSQL’s programs trust whom this process trusts, where no authority is named', () => {
  using folder = temporaryFolder();
  const authorities = join(folder.path, 'authorities.pem');
  libpqEnvironment('postgres://db/site?sslmode=disable', authorities);
  expect(existsSync(authorities)).toBe(false);
  expect(libpqEnvironment('postgres://db/site', authorities)).toMatchObject({
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: authorities,
  });
  expect(readFileSync(authorities, 'utf8').match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(50);
});
