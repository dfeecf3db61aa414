import { sql } from 'kysely';
import type { Clock } from '#server/system.ts';
import type { Database } from './database.ts';

export type ChangeWatchDeps = {
  readonly clock: Clock;
  readonly database: Database;
  /** False while another file, or none, is where the database was. */
  readonly isInPlace: () => boolean;
  readonly onReplaced: () => void;
  readonly onChange: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

const LOOK_EVERY_MS = 500;

/**
 * Notices within half a second that another process has written to the database: that is how the operator's commands
 * reach the server. Also that the file itself is no longer the one that they write to.
 */
export const watchChanges = (deps: ChangeWatchDeps) => {
  const { clock, database, isInPlace, onReplaced, onChange, onFailure } = deps;
  let wasInPlace = true;
  let seen: number | undefined;
  let cancel = (): void => {};
  let stopped = false;

  const look = async (): Promise<void> => {
    const inPlace = isInPlace();
    if (!inPlace && wasInPlace) onReplaced();
    wasInPlace = inPlace;
    // Read first: what is written during the change is seen at the next look.
    const version = await readVersion(database);
    if (version === seen) return;
    await onChange();
    // Only now: what could not be taken over is tried again at the next look.
    seen = version;
  };
  const next = (): void => {
    if (stopped) return;
    cancel = clock.after(LOOK_EVERY_MS, () => {
      look().catch(onFailure).finally(next);
    });
  };

  return {
    /** Takes over what is there, resolves, and watches from then on. */
    start: async (): Promise<void> => {
      await look();
      next();
    },
    stop: (): void => {
      stopped = true;
      cancel();
    },
  };
};

/** A number that SQLite changes for this connection whenever another one commits. Reading it touches no table. */
const readVersion = async (database: Database): Promise<number | undefined> => {
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(database);
  return rows[0]?.data_version;
};
