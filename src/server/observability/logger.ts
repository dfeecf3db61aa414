import type { Writable } from 'node:stream';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export type { Logger };

/** Much more than is logged in a day. What exceeds it while nobody reads is lost. */
const MAX_UNREAD_BYTES = 2 ** 20;

/** `events` decides what is logged; secrets are redacted by name as a second net. */
export const createLogger = (level: string, destination: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      redact: ['token', 'proof', 'authorization', '*.token', '*.proof', '*.authorization'],
    },
    destination,
  );

/** By itself the logger would keep everything that nobody reads, and wait for a reader before it ends. */
export const withoutWaiting = (output: Writable): DestinationStream => ({
  write: (line) => {
    if (output.writableLength < MAX_UNREAD_BYTES) output.write(line);
  },
});
