import { createRepetition, type Clock } from '#server/system.ts';
import type { OpenedDatabase } from './database.ts';

type ChangeWatchDeps = Pick<OpenedDatabase, 'readVersion' | 'isSameDatabase'> & {
  readonly clock: Clock;
  readonly onReplaced: () => void;
  readonly onRead: () => void;
  readonly onFailure: (error: unknown) => void;
};

const LOOK_EVERY_MS = 500;
/** Well below the time for which servers remember a token that was taken out. */
const CURRENT_MS = 30_000;

/** Whatever fails keeps nothing else from being applied: not an opt-out, nor a withdrawal. */
export const refreshEach = (parts: readonly (() => Promise<unknown>)[]) => async (): Promise<void> => {
  const failures: unknown[] = [];
  for (const part of parts) await part().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
};

export const watchChanges = (deps: ChangeWatchDeps) => {
  const { clock, readVersion, isSameDatabase, onReplaced, onRead, onFailure } = deps;
  let onChange = (): Promise<void> => Promise.resolve();
  let wasInPlace = true;
  let seen: unknown;
  let currentMs = -Infinity;
  let failure: unknown = null;

  const checkSameDatabase = (): void => {
    const inPlace = isSameDatabase();
    if (!inPlace && wasInPlace) onReplaced();
    wasInPlace = inPlace;
  };
  const look = async (): Promise<void> => {
    const beganMs = clock.monotonicMs();
    // Read first: what is written during the change is seen at the next look.
    const version = await readVersion().finally(checkSameDatabase);
    if (version !== seen) await onChange();
    // Only now: what could not be loaded is tried again at the next look.
    seen = version;
    currentMs = beganMs;
    failure = null;
  };
  const fail = (error: unknown): void => {
    failure = error;
    onFailure(error);
  };
  const looks = createRepetition({
    clock,
    work: () => look().then(onRead, fail),
    restMs: () => LOOK_EVERY_MS,
  });

  return {
    start: async (change: () => Promise<void>): Promise<void> => {
      onChange = change;
      await look();
      looks.start();
    },
    stop: looks.stop,
    /** Whether a look that began so lately went well that what others have removed since is still marked as such. */
    isCurrent: (): boolean => clock.monotonicMs() - currentMs < CURRENT_MS,
    /** Of the last look; null if it went well. */
    failure: (): unknown => failure,
  };
};
