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
