import { mkdirSync } from 'node:fs';
import type { Logger } from '#server/observability/logger.ts';
import type { LastBackup } from '#server/storage/last-backup.ts';
import { createRepetition, type Clock } from '#server/system.ts';
import type { Condition } from './notices.ts';

/** One of the operator's commands, in a process of its own: the document of its `--json`, or null if there is none. */
export type RunCommand = (args: readonly string[]) => Promise<Readonly<Record<string, unknown>> | null>;

type HousekeepingDeps = {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly run: RunCommand;
  readonly backupDir: string | null;
  readonly lastBackup: () => LastBackup | null;
  readonly isWatched: boolean;
  /** With several servers one speaks for all of them. */
  readonly isFirst: () => Promise<boolean>;
};

const LOOK_EVERY_MS = 900_000;
/** The first after the start: the server has more urgent things to do. */
const FIRST_MS = 30_000;
const DAY_MS = 86_400_000;
const KEPT = 7;
/** Said otherwise, or not by a server to itself. */
const LEFT_OUT = new Set(['settings', 'platform']);
const OF_ALL_SERVERS = new Set(['servers', 'connections']);

type Check = {
  readonly what: string;
  readonly state: string;
  readonly finding: string;
  readonly remedy?: string;
};

export const createHousekeeping = (deps: HousekeepingDeps) => {
  const { clock, logger, run, backupDir, lastBackup, isWatched, isFirst } = deps;
  let findings: readonly Condition[] = [];

  const backUp = async (folder: string): Promise<void> => {
    const last = lastBackup();
    if (last !== null && clock.wallMs() - Date.parse(last.at) < DAY_MS - LOOK_EVERY_MS) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = await run(['backup', '--into', folder, '--keep', String(KEPT)]);
    if (made?.['state'] === 'ok')
      return logger.info({ event: 'backup-made' }, 'a backup was made, and checked');
    const error = typeof made?.['error'] === 'string' ? made['error'] : 'the command did not answer';
    logger.warn({ event: 'backup-failed', error }, 'the daily backup failed');
  };

  const askDoctor = async (): Promise<void> => {
    const checks = ((await run(['doctor']))?.['checks'] ?? []) as readonly Check[];
    const speaksForAll = await isFirst();
    findings = checks.flatMap(({ what, state, finding, remedy }) => {
      const isOurs = !LEFT_OUT.has(what) && (speaksForAll || !OF_ALL_SERVERS.has(what));
      // What keeps the server itself from serving is told at once, by the server.
      if (!isOurs || state === 'ok' || (what === 'server' && state === 'failed')) return [];
      const text = `${what}: ${finding}.${remedy === undefined ? '' : ` What helps: ${remedy}`}`;
      return [{ event: what.replaceAll(' ', '-'), text }];
    });
  };

  const look = async (): Promise<void> => {
    try {
      if (backupDir !== null) await backUp(backupDir);
      if (isWatched) await askDoctor();
    } catch (error) {
      logger.warn({ event: 'backup-failed', error: (error as Error).message }, 'the daily backup failed');
    }
  };
  const looks = createRepetition({ clock, work: look, restMs: () => LOOK_EVERY_MS });

  return {
    start: (): void => looks.start(FIRST_MS),
    stop: looks.stop,
    findings: () => findings,
  };
};
