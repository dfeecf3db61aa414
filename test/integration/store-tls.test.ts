// @module-tag slow
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { createClientPrograms } from '#server/storage/postgres/client-programs.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { makeCertificate, OPENSSL_MISSING } from '#test/support/certificate.ts';
import { useOwnPostgres } from '#test/support/databases.ts';
import { freePort } from '#test/support/free-port.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const certificate = join(folder.path, 'fullchain.pem');
if (OPENSSL_MISSING === null) makeCertificate(folder.path);

describe.skipIf((POSTGRES_MISSING ?? OPENSSL_MISSING) !== null)('PostgreSQL with a certificate', () => {
  const postgres = useOwnPostgres();
  beforeAll(async () => (await postgres()).offerTls(folder.path), 60_000);

  /** Whether the connection is encrypted, or why there is none. */
  const connecting = async (host: string, query: string): Promise<unknown> => {
    const url = new URL(await (await postgres()).newDatabase());
    [url.hostname, url.search] = [host, query];
    try {
      const { database } = await openPostgresDatabase(url.href, { create: true });
      const { rows } = await sql<{ ssl: boolean }>`
        select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(database);
      await database.destroy();
      return rows[0]?.ssl;
    } catch (error) {
      return (error as Error).message.replace(/.*\/test_\w+ /, '');
    }
  };
  const UNTRUSTED =
    'has a certificate that this machine does not trust: name its authority with sslrootcert in DATABASE_URL.';
  const TRUSTED = `sslrootcert=${certificate}`;

  it.each(['require', 'verify-ca', 'verify-full'])('is checked with sslmode=%s', async (mode) => {
    expect(await connecting('localhost', `sslmode=${mode}`)).toBe(UNTRUSTED);
    expect(await connecting('127.0.0.1', `sslmode=${mode}&${TRUSTED}`)).toBe(
      'has a certificate for another name: use a name that is in its certificate in DATABASE_URL.',
    );
    expect(await connecting('localhost', `sslmode=${mode}&${TRUSTED}`)).toBe(true);
  });

  it('is used where its authority is named, and not on this machine if nothing is said', async () => {
    expect(await connecting('localhost', TRUSTED)).toBe(true);
    expect(await connecting('localhost', '')).toBe(false);
    expect(await connecting('localhost', 'sslmode=disable')).toBe(false);
  });

  it('is checked by pg_dump too, against the authorities that this process trusts', async () => {
    using programs = temporaryFolder();
    (await postgres()).installPrograms(programs.path);
    const url = new URL(await (await postgres()).newDatabase());
    [url.hostname, url.search] = ['localhost', 'sslmode=require'];
    const { dump } = createClientPrograms(programs.path);
    await expect(dump(url.href, join(programs.path, 'one'))).rejects.toThrow('certificate verify failed');
    const authorities = getCACertificates('default');
    setDefaultCACertificates([...authorities, readFileSync(certificate, 'utf8')]);
    try {
      await dump(url.href, join(programs.path, 'two'));
    } finally {
      setDefaultCACertificates(authorities);
    }
  });
});

describe.skipIf((REDIS_MISSING ?? OPENSSL_MISSING) !== null)('a shared store with a certificate', () => {
  it('is used only with one that is trusted and has its name', async () => {
    const port = await freePort();
    const key = join(folder.path, 'privkey.pem');
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
    await using _server = await startRedisServer({
      settings: ['--requirepass', 'hunter2', '--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files],
    });
    const startWith = (url: string, env: Readonly<Record<string, string>> = {}) =>
      startAppProcess({ SHARED_STATE_URL: url, STOP_DELAY_SECONDS: '0', ...env });
    const trusted = { NODE_EXTRA_CA_CERTS: certificate };
    const refusals = [
      startWith(`rediss://:hunter2@localhost:${port}`),
      startWith(`rediss://:hunter2@127.0.0.1:${port}`, trusted),
    ];
    for (const node of refusals) {
      const { exitCode, stderr } = await node.ended;
      expect([exitCode, stderr]).toEqual([
        EXIT.sharedStoreUnusable,
        expect.stringContaining('The certificate of the shared store is not trusted'),
      ]);
      await node[Symbol.asyncDispose]();
    }
    await using node = startWith(`rediss://:hunter2@localhost:${port}`, trusted);
    expect((await fetch(`${await node.origin}/challenge`)).status).toBe(200);
    for (const { output } of [node, ...refusals]) expect(output()).not.toContain('hunter2');
  });
});
