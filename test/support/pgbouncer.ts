import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, libraryPath } from './debian-program.ts';
import { freePort } from './free-port.ts';
import { startProgram } from './program-process.ts';

const PROGRAM = findProgram('usr/sbin/pgbouncer');

/** Null where there is one to test with, else why not. */
export const PGBOUNCER_MISSING = PROGRAM === null ? 'There is no PgBouncer here.' : null;

/** It refuses to run as root. */
const AS_NOBODY = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
/** Fewer than its clients, so that anything left on a connection reaches the next client. */
const CONNECTIONS = 2;

const settingsFor = (port: number, postgresPort: number): string => `[databases]
* = host=127.0.0.1 port=${postgresPort} user=whoflake
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
`;

/** In front of a PostgreSQL, with transaction pooling and otherwise default settings. */
export const startPgBouncer = async (postgresPort: number) => {
  const port = await freePort();
  const bouncer = await startProgram({
    program: PROGRAM ?? '',
    args: (folder) => {
      const file = join(folder, 'pgbouncer.ini');
      writeFileSync(file, settingsFor(port, postgresPort));
      chmodSync(folder, 0o755);
      return [...AS_NOBODY, file];
    },
    env: { LD_LIBRARY_PATH: libraryPath() },
    readyLine: /(process up)/,
  });
  /** The address of a database of the server behind it. */
  return {
    ...bouncer,
    through: (url: string): string => Object.assign(new URL(url), { port: `${port}` }).href,
  };
};
