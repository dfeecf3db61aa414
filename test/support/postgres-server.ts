import { chmodSync, chownSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, libraryPath } from './debian-program.ts';
import { freePort } from './free-port.ts';
import { startProgram, type ProgramProcess } from './program-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const PROGRAM = findProgram('usr/lib/postgresql/15/bin/postgres');

/** Null where there is a server to test with, else why not. */
export const POSTGRES_MISSING = PROGRAM === null ? 'There is no PostgreSQL here.' : null;

export type PostgresServer = AsyncDisposable & {
  readonly port: number;
  readonly signal: ProgramProcess['signal'];
  /** The address of a database that nobody else uses: empty, or a copy of the one at `template`. */
  readonly newDatabase: (template?: string) => Promise<string>;
  /** Ends it at once, as a crash would, and starts it again with what it has on disk. */
  readonly restart: () => Promise<void>;
  /** Runs `pg_dump`, `pg_restore` or another program that comes with it. */
  readonly runProgram: (name: string, args: readonly string[]) => Promise<unknown>;
  readonly stop: () => Promise<void>;
  /** From now on it asks everybody but its owner for a password. */
  readonly demandPassword: () => Promise<void>;
};

/** It is killed in the end, so what its processes share lies in its own folder; and only it crashes, never the machine. */
const SETTINGS = ['max_connections=200', 'dynamic_shared_memory_type=mmap', 'fsync=off'];

/** It refuses to run with root's rights. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** A folder that the server may write to, and the programs where it can reach them. */
const prepareFolder = (
  path: string,
): { readonly data: string; readonly programs: string; readonly libraries: string } => {
  const data = join(path, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY === undefined || PROGRAM?.startsWith('/usr/') === true)
    return { data, programs: dirname(PROGRAM ?? ''), libraries: libraryPath() };
  // What was unpacked may lie in a folder that is closed to others.
  const root = join(dirname(PROGRAM ?? ''), '../../../../..');
  const copy = join(path, 'programs');
  for (const part of ['usr/lib', 'usr/share/postgresql'])
    cpSync(join(root, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  return { data, programs: join(copy, 'usr/lib/postgresql/15/bin'), libraries: libraryPath(copy) };
};

/** A real server on a port of its own, on loopback only. */
export const startPostgresServer = async (): Promise<PostgresServer> => {
  const folder = temporaryFolder();
  const { data, programs, libraries } = prepareFolder(folder.path);
  if (NOBODY !== undefined) {
    chmodSync(folder.path, 0o755);
    chownSync(data, NOBODY.uid, NOBODY.gid);
  }
  const env = { LD_LIBRARY_PATH: libraries };
  const options = { ...NOBODY, env, cwd: data };
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'whoflake', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    options,
  );
  const port = await freePort();
  const start = (): Promise<ProgramProcess> =>
    startProgram({
      program: join(programs, 'postgres'),
      args: () =>
        ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', ''].concat(
          SETTINGS.flatMap((setting) => ['-c', setting]),
        ),
      env,
      folder: data,
      user: NOBODY,
      readyLine: /(database system is ready to accept connections)/,
    });
  let server = await start();
  let databases = 0;
  const urlOf = (name: string): string => `postgres://whoflake@127.0.0.1:${port}/${name}`;
  return {
    port,
    signal: (name) => server.signal(name),
    newDatabase: async (template) => {
      databases += 1;
      const name = `test_${process.pid}_${databases}`;
      const from = template === undefined ? 'template1' : new URL(template).pathname.slice(1);
      const create = `create database ${name} template ${from}`;
      await run(join(programs, 'psql'), [urlOf('postgres'), '-qc', create], options);
      return urlOf(name);
    },
    restart: async () => {
      await server[Symbol.asyncDispose]();
      server = await start();
    },
    runProgram: (name, args) => run(join(programs, name), args, { env }),
    stop: async () => server[Symbol.asyncDispose](),
    demandPassword: async () => {
      const rules = 'host all whoflake 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n';
      writeFileSync(join(data, 'pg_hba.conf'), rules);
      await run(join(programs, 'psql'), [urlOf('postgres'), '-qc', 'select pg_reload_conf()'], options);
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
};
