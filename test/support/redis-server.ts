import { findProgram, libraryPath } from './debian-program.ts';
import { freePort } from './free-port.ts';
import { startProgram, type ProgramProcess } from './program-process.ts';

const PROGRAM = findProgram('usr/bin/redis-server');

/** Null where there is a server to test with, else why not. */
export const REDIS_MISSING = PROGRAM === null ? 'There is no redis-server here.' : null;

export type RedisServer = ProgramProcess & { readonly port: number; readonly url: string };

export type RedisServerOptions = {
  readonly port?: number;
  /** For one that comes back with what it had. */
  readonly folder?: string;
  /** Its own settings, such as `['--appendonly', 'yes']`; without any nothing is kept on disk. */
  readonly settings?: readonly string[];
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
    env: { LD_LIBRARY_PATH: libraryPath() },
    folder: options.folder,
    readyLine: /(Ready to accept connections)/,
  });
  return { ...server, port, url: `redis://127.0.0.1:${port}` };
};
