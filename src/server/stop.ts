import { EXIT } from './operator-error.ts';
import type { Clock } from './system.ts';

export type StopDeps = {
  /** Resolves once everything in flight is answered and everything is closed. */
  readonly stop: () => Promise<void>;
  readonly limitMs: number;
  readonly clock: Clock;
  readonly exit: (exitCode: number) => void;
  readonly onStopping: (signal: string) => void;
  readonly onFailure: (error: unknown) => void;
};

/** The first signal drains: what is in flight is answered. A second one, or a drain that hangs, ends it at once. */
export const createStop = ({ stop, limitMs, clock, exit, onStopping, onFailure }: StopDeps) => {
  let isStopping = false;
  return async (signal: string, exitCode = 0): Promise<void> => {
    if (isStopping) return exit(EXIT.failed);
    isStopping = true;
    onStopping(signal);
    clock.after(limitMs, () => exit(EXIT.failed));
    try {
      await stop();
      exit(exitCode);
    } catch (error) {
      onFailure(error);
      exit(EXIT.failed);
    }
  };
};

export type CrashDeps = Pick<StopDeps, 'clock' | 'exit'> & {
  readonly onCrash: (error: unknown) => void;
  /** Tells all who wait for an answer, then closes the records. */
  readonly abandon: () => Promise<void>;
};

/** Time to answer everybody who waits, and to finish writing; what takes longer is cut off. */
const CRASH_MS = 1_000;

/**
 * For what nobody has caught: from here on nothing that this process holds in memory can be trusted, so it ends, and is
 * started again by its supervisor.
 */
export const createCrash = ({ clock, exit, onCrash, abandon }: CrashDeps) => {
  let isCrashing = false;
  return async (error: unknown): Promise<void> => {
    // What fails on the way out changes nothing.
    if (isCrashing) return;
    isCrashing = true;
    onCrash(error);
    clock.after(CRASH_MS, () => exit(EXIT.failed));
    try {
      await abandon();
    } finally {
      exit(EXIT.failed);
    }
  };
};
