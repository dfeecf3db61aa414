import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Logger } from '#server/observability/logger.ts';
import { LEAST_FREE_BYTES } from '#server/storage/data-folder.ts';
import { BACKUP_IS_OLD_MS, type LastBackup } from '#server/storage/last-backup.ts';
import { createRepetition, DAY_MS, MINUTE_MS, type Clock } from '#server/system.ts';
import { isRecord, parseJson } from '#shared/json.ts';
import type { Condition } from './notices.ts';

/** One of the operator's commands, in a process of its own: the document of its `--json`, or null if there is none. */
export type RunCommand = (args: readonly string[]) => Promise<Readonly<Record<string, unknown>> | null>;

export type HousekeepingDeps = {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly run: RunCommand;
  /** Null: this server makes no backups. */
  readonly backupDir: string | null;
  /** By the server, or with PostgreSQL by the operator. */
  readonly isBackupExpected: boolean;
  readonly lastBackup: () => LastBackup | null;
  readonly freeBytes: () => number | null;
  readonly lostServers: () => Promise<readonly { readonly name: string; readonly last_seen: string }[]>;
};

const LOOK_EVERY_MS = 15 * MINUTE_MS;
/** The first after the start: the server has more urgent things to do. */
const FIRST_MS = 30_000;
const KEPT = 7;
const COMMAND_MS = 10 * MINUTE_MS;
const MAX_BYTES = 2 ** 24;

export const createHousekeeping = (deps: HousekeepingDeps) => {
  const { clock, logger, run, backupDir, isBackupExpected, lastBackup, freeBytes, lostServers } = deps;
  const startedMs = clock.wallMs();
  let findings: readonly Condition[] = [];
  let lost: Awaited<ReturnType<typeof lostServers>> = [];

  const makeBackup = async (folder: string): Promise<string | null> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = await run(['backup', '--into', folder, '--keep', String(KEPT)]);
    if (made?.['state'] === 'ok') return null;
    return typeof made?.['error'] === 'string' ? made['error'] : 'the command did not answer';
  };
  const backUp = async (folder: string): Promise<void> => {
    const last = lastBackup();
    if (last !== null && clock.wallMs() - Date.parse(last.at) < DAY_MS - LOOK_EVERY_MS) return;
    const error = await makeBackup(folder).catch(({ message }: Error) => message);
    if (error === null) logger.info({ event: 'backup-made' }, 'a backup was made, and checked');
    else logger.warn({ event: 'backup-failed', error }, 'the daily backup failed');
  };

  function* find(): Iterable<Condition> {
    const last = lastBackup();
    const sinceMs = last === null ? startedMs : Date.parse(last.at);
    if (isBackupExpected && clock.wallMs() - sinceMs > BACKUP_IS_OLD_MS)
      yield {
        event: 'backup',
        text: `${last === null ? 'there is no good backup in BACKUP_DIR' : `the last good backup is of ${last.at}`}. What helps: ${backupDir === null ? 'see why pg_dump makes none.' : 'see backup-failed in the log, or make one with ops backup --into.'}`,
      };
    const free = freeBytes();
    if (free !== null && free < LEAST_FREE_BYTES)
      yield {
        event: 'data-folder',
        text: `${Math.floor(free / 2 ** 20)} MB are free in DATA_DIR. What helps: free up disk space.`,
      };
    if (lost.length > 0)
      yield {
        event: 'servers',
        text: `${lost.map(({ name, last_seen: at }) => `${name} was last seen at ${at}`).join(', ')}. What helps: start it again; if it is gone for good, run ops status --forget with its name.`,
      };
  }

  const look = async (): Promise<void> => {
    if (backupDir !== null) await backUp(backupDir);
    // Without PostgreSQL nobody knows, and what was known is not over.
    lost = await lostServers().catch(() => lost);
    findings = [...find()];
  };
  const looks = createRepetition({ clock, work: look, restMs: () => LOOK_EVERY_MS });

  return {
    start: (): void => looks.start(FIRST_MS),
    stop: looks.stop,
    findings: () => findings,
  };
};

export const createRunCommand =
  (ops: string, env: NodeJS.ProcessEnv): RunCommand =>
  (args) =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        ['--', ops, ...args, '--json'],
        { env, timeout: COMMAND_MS, maxBuffer: MAX_BYTES },
        (_error, stdout) => {
          const document = parseJson(stdout);
          resolve(isRecord(document) ? document : null);
        },
      );
    });
