import { describeError } from './app-error.ts';
import type { Logger } from './observability/logger.ts';
import { EXIT } from './operator-error.ts';
import type { Clock } from './system.ts';

export type StopDeps = {
  /** Resolves once everything in flight is answered and everything is closed. */
  readonly close: () => Promise<void>;
  readonly limitMs: number;
  /** Tells all who wait for an answer, then closes the records. */
  readonly abandon: () => Promise<void>;
  readonly clock: Clock;
  readonly exit: (exitCode: number) => void;
  readonly logger: Pick<Logger, 'info' | 'error'>;
};

/** Time to answer everybody who waits, and to finish writing; what takes longer is cut off. */
const CRASH_MS = 1_000;

/** How the process ends. */
export const createStop = ({ close, limitMs, abandon, clock, exit, logger }: StopDeps) => {
  let isStopping = false;
  let isCrashing = false;
  const fail = (): void => exit(EXIT.failed);

  return {
    /** The first signal drains: what is in flight is answered. A second one, or a drain that hangs, ends it at once. */
    stop: async (signal: string, exitCode = 0): Promise<void> => {
      if (isStopping) return fail();
      isStopping = true;
      logger.info({ event: 'stopping', signal }, 'stopping');
      clock.after(limitMs, fail);
      try {
        await close();
        exit(exitCode);
      } catch (error) {
        logger.error({ event: 'stop-failed', ...describeError(error) }, 'stopping failed');
        fail();
      }
    },
    /**
     * For what nobody has caught: from here on nothing that this process holds in memory can be trusted, so it ends, and
     * is started again by its supervisor.
     */
    crash: async (error: unknown): Promise<void> => {
      // What fails on the way out changes nothing.
      if (isCrashing) return;
      isCrashing = true;
      logger.error({ event: 'crashed', ...describeError(error) }, 'an error was not caught');
      clock.after(CRASH_MS, fail);
      try {
        await abandon();
      } finally {
        fail();
      }
    },
  };
};
