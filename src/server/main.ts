import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '#package.json' with { type: 'json' };
import { describeError } from './app-error.ts';
import { createApp, type App } from './app.ts';
import type { Config } from './config.ts';
import { STOP_MS, stopDelayMs } from './deadlines.ts';
import { loadWebBuild, siteOf } from './http/site/web-build.ts';
import { sendNotice } from './notices/receiver.ts';
import { createRunCommand } from './notices/housekeeping.ts';
import { createLogger, withoutWaiting } from './observability/logger.ts';
import { isKeyringBesideDatabase, openRecords } from './open-records.ts';
import { startPlatform, type StartedPlatform } from './platform/start-platform.ts';
import { readSettings, wrongSettings } from './read-settings.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import { settingsFileOf } from './setting-reader.ts';
import { createStop } from './stop.ts';
import { lockFolder, refuseLostDatabase } from './storage/data-folder.ts';
import { connectSqliteThread } from './storage/sqlite/sqlite-thread.ts';
import { isStorageFault } from './storage/storage-fault.ts';
import { realSystem } from './system.ts';

const DIST_DIR = join(import.meta.dirname, '../../dist');

/** A start that fails half way must not stay on the list of servers. */
const startOrLeave = async (
  app: App,
  { listen, admin }: Config,
  leave: () => Promise<void>,
): Promise<string> => {
  try {
    await app.start();
    await once(app.admin.listen(admin.port, admin.host), 'listening');
    return await app.server.listen(listen);
  } catch (error) {
    await leave().catch(() => {});
    throw error;
  }
};

const OPS = join(import.meta.dirname, '../../bin/ops');

const siteIsOn = (address: string): string => `Whoflake is on ${address.replace('127.0.0.1', 'localhost')}`;

const printWelcome = (address: string, { sampleIds, tokenToDonate }: StartedPlatform): void => {
  const ids = sampleIds.slice(0, 3).map(({ id, label }) => `    ${id}  ${label}`);
  const lines = [
    '',
    `  ${siteIsOn(address)}`,
    '  Demo mode: every profile is made up, and nothing leaves this machine.',
    '',
    '  IDs to try:',
    ...ids,
    ...(tokenToDonate === null ? [] : ['', '  A bot token to donate:', `    ${tokenToDonate}`]),
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
};

/** The reader of the log may end before us: that must neither stop us nor keep us from handling signals. */
const outliveReaders = (): void => {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
};

/** By systemd's own program, because Node has no Unix datagram sockets. Never rejects. */
const notifyServiceManager = (state: 'READY=1' | 'STOPPING=1'): Promise<boolean> => {
  const { NOTIFY_SOCKET, PATH } = process.env;
  if (NOTIFY_SOCKET === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    spawn('systemd-notify', [state], { env: { NOTIFY_SOCKET, PATH }, stdio: 'ignore' })
      .once('error', () => resolve(false))
      .once('exit', (exitCode) => resolve(exitCode === 0));
  });
};

const startSite = async (config: Config) => {
  const platform = await startPlatform(config);
  const site = siteOf(config, platform.sampleIds, realSystem.random);
  return { platform, web: loadWebBuild(DIST_DIR, site) };
};

const start = async (): Promise<void> => {
  outliveReaders();
  const settings = readSettings(process.env);
  if (!settings.ok) throw wrongSettings(settings.problems);
  const { config } = settings;
  const logger = createLogger(config.logLevel, withoutWaiting(process.stdout));
  // Before anything is made in a folder that may be mounted or moved back.
  refuseLostDatabase(config);
  const lock = lockFolder(config.dataDir);
  const runMark = join(config.dataDir, 'server.running');
  const [records, { platform, web }] = await Promise.all([
    openRecords(config, realSystem, { connect: connectSqliteThread, isServer: true }),
    startSite(config),
  ]);
  if (isKeyringBesideDatabase(config))
    logger.warn(
      { event: 'keyring-beside-database' },
      'the keyring is next to the database it unlocks: move it elsewhere and set KEYRING_FILE',
    );
  const notifyUrl = config.notifyUrl ?? undefined;
  const app = createApp({
    config,
    startedPlatform: platform,
    system: realSystem,
    logger,
    records,
    web,
    isAfterCrash: existsSync(runMark),
    runCommand: createRunCommand(OPS, process.env),
    sendNotice: notifyUrl && ((notice) => sendNotice(notifyUrl.reveal(), notice)),
    onLayoutChanged: () => void stop('layout-changed', EXIT.databaseNewer),
  });
  const closeAll = async (): Promise<void> => {
    void notifyServiceManager('STOPPING=1');
    await app.close();
    await records.close();
    await platform.stop();
    // Last, and referenced until then: a lock that is garbage-collected is released.
    lock[Symbol.dispose]();
  };
  const { stop, crash } = createStop({
    close: async () => {
      await closeAll();
      rmSync(runMark, { force: true });
    },
    limitMs: stopDelayMs(config) + STOP_MS,
    clock: realSystem.clock,
    exit: (exitCode) => process.exit(exitCode),
    logger,
  });
  // Rejections that nobody handles, and errors of threads, arrive here too.
  process.on('uncaughtException', crash);
  const address = await startOrLeave(app, config, closeAll);
  // Only now: a start that fails was no run.
  writeFileSync(runMark, '');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void stop(signal));
  if (config.platform.kind === 'sandbox') printWelcome(address, platform);
  else if (process.stdout.isTTY) process.stdout.write(`\n  ${siteIsOn(address)}\n\n`);
  const about = {
    address,
    version: manifest.version,
    platform: config.platform.kind,
    tokens: app.pool.counts().healthy,
    settingsFile: settingsFileOf(process.env) ?? null,
  };
  logger.info({ event: 'listening', ...about }, 'listening');
  if (!(await notifyServiceManager('READY=1')))
    logger.warn({ event: 'notify-failed' }, 'could not notify systemd: is systemd-notify installed?');
};

/** Messages of the disk, the network and the database hold no secrets. A defect of ours is reported by its frames only. */
const toStartError = (error: NodeJS.ErrnoException & { readonly port?: number }): OperatorError => {
  if (error instanceof OperatorError) return error;
  const { code, port, syscall, message } = error;
  const unavailable = (finding: string, remedy: string): OperatorError =>
    new OperatorError(EXIT.portUnavailable, finding, remedy);
  if (code === 'EADDRINUSE')
    return unavailable(`Port ${port} is in use`, 'choose another with PORT or ADMIN_PORT.');
  if (code === 'EACCES' && syscall === 'listen')
    return unavailable(
      `This user may not listen on port ${port}`,
      'choose one above 1023 with PORT or ADMIN_PORT, and put a proxy in front.',
    );
  if (isStorageFault(error)) return new OperatorError(EXIT.failed, message);
  const { name, frames } = describeError(error);
  return new OperatorError(EXIT.failed, [`Unexpected internal error (${name}).`, ...frames].join('\n  '));
};

try {
  await start();
} catch (error) {
  const { message, exitCode } = toStartError(error as Error);
  process.stderr.write(`Whoflake could not start. ${message}\n`);
  process.exit(exitCode);
}
