// @module-tag slow
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMessagePool } from '#server/storage/postgres/message-pool.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { makeCertificate } from '#test/support/certificate.ts';
import { useOwnPostgres } from '#test/support/databases.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const IS_ENCRYPTED = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const certificate = join(folder.path, 'fullchain.pem');
makeCertificate(folder.path);

describe.skipIf(POSTGRES_MISSING !== null)('the certificate of PostgreSQL', () => {
  const postgres = useOwnPostgres();
  beforeAll(async () => (await postgres()).offerTls(folder.path));

  const connecting = async (host: string, query: string): Promise<unknown> => {
    const url = new URL(await (await postgres()).newDatabase());
    [url.hostname, url.search] = [host, query];
    try {
      const { database } = await openPostgresDatabase(url.href, { create: true });
      const { rows } = await sql.raw<{ ssl: boolean }>(IS_ENCRYPTED).execute(database);
      await database.destroy();
      // What servers share goes over connections of its own.
      const messages = createMessagePool(url.href, 1);
      const [[row] = []] = await messages.send(IS_ENCRYPTED);
      await messages.end();
      expect(row?.['ssl']).toBe(rows[0]?.ssl);
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
});
