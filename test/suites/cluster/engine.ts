import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findProgram } from '#test/support/debian-program.ts';
import { DEBIAN_POSTGRES, startPostgresServer, type PostgresServer } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startProxy } from './proxy.ts';

export type Engine = Awaited<ReturnType<typeof startEngine>>;

const [FAKE_TIME = null] = ['x86_64', 'aarch64'].flatMap(
  (kind) => findProgram(`usr/lib/${kind}-linux-gnu/faketime/libfaketime.so.1`) ?? [],
);

/** Why the suite cannot run here; null if it can. */
export const ENGINE_MISSING =
  DEBIAN_POSTGRES === null || FAKE_TIME === null
    ? 'There is no PostgreSQL or no libfaketime of Debian here.'
    : null;

const OPTIONS = {
  programs: DEBIAN_POSTGRES ?? '',
  settings: ['max_connections=100', 'wal_level=replica', 'max_wal_size=64MB', 'min_wal_size=32MB'],
};
const CAUGHT_UP_MS = 30_000;

/** PostgreSQL as the servers find it: at one address each, whichever instance is behind it. */
export const startEngine = async (servers: number) => {
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const clockFile = join(folder.path, 'clock');
  const env = {
    LD_PRELOAD: FAKE_TIME ?? '',
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const setClockAhead = (seconds: number): void =>
    writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  setClockAhead(0);
  const proxy = await startProxy(servers);
  const first = await startPostgresServer(OPTIONS);
  const instances: PostgresServer[] = [first];
  let current = first;
  await proxy.steer({ port: current.port, state: 'open' });

  const ask = async (port: number, text: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client(`postgres://whoflake@127.0.0.1:${port}/postgres`);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };
  const setSynchronous = async (port: number, names: string, first = 'select'): Promise<void> => {
    for (const text of [
      first,
      `alter system set synchronous_standby_names = '${names}'`,
      'select pg_reload_conf()',
    ])
      await ask(port, text);
  };
  const caughtUp = async (): Promise<void> => {
    const deadlineMs = performance.now() + CAUGHT_UP_MS;
    const text = `select 1 from pg_stat_replication where state = 'streaming' and replay_lsn is not null`;
    while ((await ask(current.port, text)).length === 0) {
      if (performance.now() > deadlineMs) throw new Error('The replica does not catch up.');
      await delay(100);
    }
  };

  return {
    proxy,
    /** Of the instance that is in use. */
    current: () => current,
    newDatabase: () => current.newDatabase(),
    /** For a server: each has a door of its own. */
    urlFor: (url: string, server: number): string =>
      Object.assign(new URL(url), { port: `${proxy.ports[server]}` }).href,
    setClockAhead,
    /** Restarts it with a clock that can be set, and with the machine's own again: that one is never in its way. */
    setClockKind: async (kind: 'faked' | 'own'): Promise<void> => {
      await current.shutDown();
      await current.restart(kind === 'faked' ? env : {});
    },
    /** A streaming replica takes over: a synchronous one, or one that has heard nothing for so long. */
    failOver: async (lagMs: number): Promise<void> => {
      await using link = await startProxy(1);
      await link.steer({ port: current.port, state: 'open' });
      const replica = await startPostgresServer({ ...OPTIONS, replicaOf: link.ports[0] ?? 0 });
      instances.push(replica);
      await caughtUp();
      if (lagMs === 0) await setSynchronous(current.port, '*');
      else await link.steer({ state: 'closed' });
      await delay(lagMs === 0 ? 2_000 : lagMs);
      await current.stop();
      await setSynchronous(replica.port, '', 'select pg_promote()');
      current = replica;
      await proxy.steer({ port: replica.port });
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]();
      for (const instance of instances) await instance[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
};
