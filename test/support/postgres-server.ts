import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findProgram, libraryPath } from './debian-program.ts';
import { freePort } from './free-port.ts';
import { startProgram, type ProgramProcess } from './program-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const PROGRAM = findProgram('usr/lib/postgresql/15/bin/postgres');

/** Why there is no server to test with; null if there is one. */
export const POSTGRES_MISSING = PROGRAM === null ? 'There is no PostgreSQL here.' : null;

export type PostgresAddress = {
  readonly port: number;
  readonly programs: string;
  readonly libraries: string;
};

export type PostgresClient = ReturnType<typeof createPostgresClient>;
export type PostgresServer = Awaited<ReturnType<typeof startPostgresServer>>;

/** It is killed in the end, so its shared memory is in its own folder. Only the server crashes, never the machine, so it need not sync. */
const SETTINGS = ['max_connections=200', 'dynamic_shared_memory_type=mmap', 'fsync=off'];

/** It refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** A folder that the server may write to, and the programs where it can reach them. */
const prepareFolder = (path: string): Omit<PostgresAddress, 'port'> & { readonly data: string } => {
  const data = join(path, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY !== undefined) {
    chmodSync(path, 0o755);
    chownSync(data, NOBODY.uid, NOBODY.gid);
  }
  if (NOBODY === undefined || PROGRAM?.startsWith('/usr/') === true)
    return { data, programs: dirname(PROGRAM ?? ''), libraries: libraryPath() };
  // The unpacked programs may be in a folder that other users cannot enter.
  const root = join(dirname(PROGRAM ?? ''), '../../../../..');
  const copy = join(path, 'programs');
  for (const part of ['usr/lib', 'usr/share/postgresql'])
    cpSync(join(root, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  return { data, programs: join(copy, 'usr/lib/postgresql/15/bin'), libraries: libraryPath(copy) };
};

const urlOf = (port: number, database: string): string => `postgres://whoflake@127.0.0.1:${port}/${database}`;

const asOwner = async (port: number, statement: string): Promise<void> => {
  const client = new pg.Client(urlOf(port, 'postgres'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

export const createPostgresClient = ({ port, programs, libraries }: PostgresAddress) => ({
  port,
  /** The address of a database that nobody else uses: empty, or a copy of the one at `template`. */
  newDatabase: async (template?: string): Promise<string> => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    const from = template === undefined ? 'template1' : new URL(template).pathname.slice(1);
    await asOwner(port, `create database ${name} template ${from}`);
    return urlOf(port, name);
  },
  /** Runs `pg_dump`, `pg_restore` or another program that comes with it. */
  runProgram: (name: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<unknown> =>
    run(join(programs, name), args, { env: { LD_LIBRARY_PATH: libraries, ...env } }),
  /** Puts `pg_dump` and `pg_restore` into a folder for `PATH`. The file `calls` there tells what each was called with. */
  installPrograms: (folder: string): void => {
    for (const name of ['pg_dump', 'pg_restore'])
      writeFileSync(
        join(folder, name),
        `#!/bin/sh\necho "${name} $*" >> '${folder}/calls'\nLD_LIBRARY_PATH='${libraries}' exec '${join(programs, name)}' "$@"\n`,
        { mode: 0o755 },
      );
  },
});

export type PostgresOptions = {
  /** Such as `max_connections=50`. */
  readonly settings?: readonly string[];
  /** Where its data is; by default in a folder of its own, which is removed in the end. */
  readonly folder?: string;
  /** The port of the server that it is a streaming replica of. */
  readonly replicaOf?: number;
};

const INITDB = ['-U', 'whoflake', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
const BASEBACKUP = ['-U', 'whoflake', '-h', '127.0.0.1', '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];

/** The server's own processes: each is the leader of a group of its own. */
const processesOf = (pid: number): number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return Number(parent) === pid ? [Number(name)] : [];
    } catch {
      // It has ended.
      return [];
    }
  });

export const startPostgresServer = async (options: PostgresOptions = {}) => {
  const folder = options.folder === undefined ? temporaryFolder() : null;
  const { data, programs, libraries } = prepareFolder(folder?.path ?? options.folder ?? '');
  const env = { LD_LIBRARY_PATH: libraries };
  const asUser = { ...NOBODY, env: { LD_LIBRARY_PATH: libraries }, cwd: data };
  await (options.replicaOf === undefined
    ? run(join(programs, 'initdb'), ['-D', data, ...INITDB], asUser)
    : run(
        join(programs, 'pg_basebackup'),
        ['-D', data, '-p', `${options.replicaOf}`, ...BASEBACKUP],
        asUser,
      ));
  const port = await freePort();
  const settings = [...SETTINGS, ...(options.settings ?? [])];
  const start = (more = {}): Promise<ProgramProcess> =>
    startProgram({
      program: join(programs, 'postgres'),
      args: () =>
        ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', ''].concat(
          settings.flatMap((setting) => ['-c', setting]),
        ),
      env: { ...env, ...more },
      folder: data,
      user: NOBODY,
      readyLine: /(database system is ready to accept (?:read-only )?connections)/,
    });
  let server = await start();
  const restart = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    await server[Symbol.asyncDispose]();
    server = await start(more);
  };
  const address = { port, programs, libraries };
  return {
    ...createPostgresClient(address),
    address,
    /** To all of its processes. */
    signal: (name: NodeJS.Signals): void => {
      for (const pid of [server.pid, ...processesOf(server.pid)]) process.kill(pid, name);
    },
    /** Ends it as an operator does: what is not logged stays. */
    shutDown: async (): Promise<void> => {
      process.kill(server.pid, 'SIGINT');
      await server.ended;
    },
    /** Starts it with what it has on disk; if it runs, it is ended at once before that. */
    restart,
    /** Ends it at once, as a crash would. */
    stop: async (): Promise<void> => server[Symbol.asyncDispose](),
    /** From now on it asks everybody but its owner for a password. */
    demandPassword: async (): Promise<void> => {
      const rules = 'host all whoflake 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n';
      writeFileSync(join(data, 'pg_hba.conf'), rules);
      await asOwner(port, 'select pg_reload_conf()');
    },
    /** Starts it again with `fullchain.pem` and `privkey.pem` of this folder. */
    offerTls: async (from: string): Promise<void> => {
      for (const [name, file] of Object.entries({ fullchain: 'server.crt', privkey: 'server.key' })) {
        const path = join(data, file);
        cpSync(join(from, `${name}.pem`), path);
        chmodSync(path, 0o600);
        if (NOBODY !== undefined) chownSync(path, NOBODY.uid, NOBODY.gid);
      }
      await asOwner(port, 'alter system set ssl = on');
      await restart();
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      folder?.[Symbol.dispose]();
    },
  };
};
