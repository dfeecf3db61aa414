import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../world.ts';

/** Each logs a line of some 130 bytes; what lies between two processes holds about 200 kB. */
const LINES = 3_000;

/** Whoever was to read the log is there and does not, and what lies between is full. */
export const leaveLogUnread = async ({ server }: World): Promise<AsyncDisposable> => {
  server.pauseReading();
  for (let line = 0; line < LINES; line += 1) {
    server.signal('SIGHUP');
    await pause(1);
  }
  const more = setInterval(() => server.signal('SIGHUP'), 20);
  return { [Symbol.asyncDispose]: async () => clearInterval(more) };
};
