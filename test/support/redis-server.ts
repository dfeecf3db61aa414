import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, libraryPath } from './debian-program.ts';
import { freePort } from './free-port.ts';
import { startProgram, type ProgramProcess } from './program-process.ts';

const PROGRAM = findProgram('usr/bin/redis-server');

/** Why there is no server to test with; null if there is one. */
export const REDIS_MISSING = PROGRAM === null ? 'There is no redis-server here.' : null;

export type RedisServer = ProgramProcess & { readonly port: number; readonly url: string };

const [FAKE_TIME = null] = ['x86_64', 'aarch64'].flatMap(
  (kind) => findProgram(`usr/lib/${kind}-linux-gnu/faketime/libfaketime.so.1`) ?? [],
);

/** Null where a server's clock can be set, else why not. */
export const FAKE_TIME_MISSING = FAKE_TIME === null ? 'There is no libfaketime here.' : null;

/** The clock of servers that are started with `env`. */
export const createServerClock = (folder: string) => {
  const file = join(folder, 'server-clock');
  const setAhead = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  setAhead(0);
  return {
    setAhead,
    env: {
      // Redis's own allocator asks for the time before the library can answer; libc's does not.
      LD_PRELOAD: `${FAKE_TIME}:libc.so.6`,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  };
};

export type RedisServerOptions = {
  readonly port?: number;
  /** For one that comes back with what it had. */
  readonly folder?: string;
  /** Its own settings, such as `['--appendonly', 'yes']`; without any nothing is kept on disk. */
  readonly settings?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** A real server on a port of its own, on loopback only. */
export const startRedisServer = async (options: RedisServerOptions = {}): Promise<RedisServer> => {
  const port = options.port ?? (await freePort());
  const server = await startProgram({
    program: PROGRAM ?? '',
    args: () => [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
      ...(options.settings ?? []),
    ],
    env: { LD_LIBRARY_PATH: libraryPath(), ...options.env },
    folder: options.folder,
    readyLine: /(Ready to accept connections)/,
  });
  return { ...server, port, url: `redis://127.0.0.1:${port}` };
};
