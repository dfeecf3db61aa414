import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../suites/world.ts';

/** Each logs a line of some 150 bytes; the buffers between two processes hold about 200 kB. */
const LINES = 3_000;
const EVERY_MS = 20;
const STOP_TRIES = 100;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The log's reader does not read, and the buffers are full. Such a server must still be able to stop. */
export const leaveLogUnread = async ({ server }: World): Promise<AsyncDisposable> => {
  server.pauseReading();
  for (let line = 0; line < LINES; line += 1) {
    server.signal('SIGHUP');
    await pause(1);
  }
  const more = setInterval(() => server.signal('SIGHUP'), EVERY_MS);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(more);
      server.signal('SIGTERM');
      for (let tries = 0; isRunning(server.pid); tries += 1) {
        if (tries === STOP_TRIES) throw new Error('A server whose log is not read does not end.');
        await pause(100);
      }
    },
  };
};
