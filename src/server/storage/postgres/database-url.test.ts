import fc from 'fast-check';
import pg from 'pg';
import { expect, it } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

/** What the driver makes of it: whether it uses TLS, checks whose certificate it is, and whom it connects to. */
const driven = (text: string) => {
  const parsed = parseDatabaseUrl(text);
  if (!parsed.ok) return parsed.problem;
  const { host, ssl } = new pg.Client(parsed.url) as unknown as { host: string; ssl: unknown };
  return [host, ssl === false ? 'plain' : ssl, parsed.isExposed];
};
const CHECKED = {};
const MODE = 'expected sslmode to be verify-full, or disable on a network of your own';

it.each([
  ['postgres://db/site', ['db', CHECKED, false]],
  ['postgres://10.0.0.3/site', ['10.0.0.3', CHECKED, false]],
  ['postgres://db/site?sslmode=require', ['db', CHECKED, false]],
  ['postgres://db/site?sslmode=verify-ca', ['db', CHECKED, false]],
  ['postgres://db/site?sslmode=verify-full', ['db', CHECKED, false]],
  ['postgres://u:p%40%25@db:6432/site?application_name=a+b', ['db', CHECKED, false]],
  ['postgres://127.0.0.1.example/site', ['127.0.0.1.example', CHECKED, false]],
  ['postgres://127.0.0.1/site?host=db', ['db', CHECKED, false]],
  ['postgres://localhost/site?sslmode=require', ['localhost', CHECKED, false]],
  ['postgres://db/site?sslmode=disable', ['db', 'plain', true]],
  ['postgres://127.0.0.1/site', ['127.0.0.1', 'plain', false]],
  ['postgres://[::1]/site', ['::1', 'plain', false]],
  ['postgresql:///site', ['localhost', 'plain', false]],
  ['postgresql:///site?host=/run/postgresql', ['/run/postgresql', 'plain', false]],
  ['postgres://me@%2Frun%2Fpg/site', ['/run/pg', 'plain', false]],
])('TLS to PostgreSQL of %s', (text, expected) => expect(driven(text)).toEqual(expected));

it.each(['prefer', 'allow', 'no-verify', 'Require', 'VERIFY-FULL', 'verify_full', 'true', '1', ''])(
  'TLS to PostgreSQL is not half on: sslmode=%s',
  (mode) => {
    expect(driven(`postgres://db/site?sslmode=${mode}`)).toBe(MODE);
    expect(driven(`postgres://localhost/site?sslmode=${mode}`)).toBe(MODE);
  },
);

it.each([
  'ssl=0',
  'ssl=no-verify',
  'SSLMODE=require',
  'ssl-mode=require',
  'uselibpqcompat=true&sslmode=require',
  'sslmode=require&sslmode=disable',
  'sslmode=disable&sslmode=verify-full',
  'host=localhost&host=db',
  'max=1000',
  'sslnegotiation=direct',
])('TLS to PostgreSQL is not decided by something else: %s', (query) =>
  expect(driven(`postgres://db/site?${query}`)).toMatch(
    /^expected no parameters but host, .*, each once at most$/,
  ),
);

it('TLS to PostgreSQL is not switched off where certificates are named', () =>
  expect(driven('postgres://db/site?sslmode=disable&sslrootcert=/ca.pem')).toBe(
    'expected no certificates with sslmode=disable',
  ));

it.each(['db/site', 'mysql://db/site', 'postgres://db', 'postgres://db/', 'postgres://u:%zz@db/site'])(
  'TLS to PostgreSQL needs an address: %s',
  (text) => expect(driven(text)).toMatch(/^expected an address/),
);
it.each(['postgres://db/site#x', 'postgres://%zz/site', 'postgres://db/%zz', 'postgres://db/site?port=x'])(
  'TLS to PostgreSQL needs an address that is read in one way only: %s',
  (text) => expect(driven(text)).toMatch(/^expected an address/),
);

it('TLS to PostgreSQL is on, to a host that is not this machine, whatever the environment says', () => {
  const before = { ...process.env };
  Object.assign(process.env, { PGHOST: 'elsewhere', PGSSLMODE: 'no-verify' });
  try {
    expect(driven('postgresql:///site')).toEqual(['localhost', 'plain', false]);
    expect(driven('postgres://db/site')).toEqual(['db', CHECKED, false]);
  } finally {
    process.env = before;
  }
});

it('TLS to PostgreSQL is checked or off, and off only on this machine or as was said, for any query', () => {
  const words = 'sslmode ssl host sslrootcert require disable no-verify db %'.split(' ');
  const word = fc.constantFrom(...words, '');
  const pair = fc.tuple(word, word).map((names) => names.join('='));
  const query = fc.array(pair).map((pairs) => pairs.join('&'));
  fc.assert(
    fc.property(query, (text) => {
      const parsed = parseDatabaseUrl(`postgres://db/site?${text}`);
      if (!parsed.ok) return;
      const mode = new URL(parsed.url).searchParams.getAll('sslmode');
      expect(mode).toEqual([/sslmode=disable/.test(text) ? 'disable' : 'verify-full']);
      expect(parsed.isExposed).toBe(mode[0] === 'disable');
    }),
  );
});
