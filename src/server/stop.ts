import { describeError } from './app-error.ts';
import type { Logger } from './observability/logger.ts';
import { EXIT } from './operator-error.ts';
import type { Clock } from './system.ts';

type StopDeps = {
  readonly close: () => Promise<void>;
  readonly limitMs: number;
  readonly clock: Clock;
  readonly exit: (exitCode: number) => void;
  readonly logger: Pick<Logger, 'info' | 'error'>;
};

export const createStop = ({ close, limitMs, clock, exit, logger }: StopDeps) => {
  let isStopping = false;
  const fail = (): void => exit(EXIT.failed);

  return {
    /** A second signal, or a drain that hangs, ends it at once. */
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
    /** Nothing in memory can be trusted any more, so the process ends, and its supervisor starts it again. */
    crash: (error: unknown): void => {
      logger.error({ event: 'crashed', ...describeError(error) }, 'an error was not caught');
      fail();
    },
  };
};
