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

const JOURNAL_PRIORITIES: Readonly<Record<string, number>> = {
  fatal: 2,
  error: 3,
  warn: 4,
  info: 6,
  debug: 7,
  trace: 7,
};

/** The journal takes the priority off, and has a time of its own. */
export const asText = (destination: DestinationStream): DestinationStream => ({
  write: (line) => destination.write(`${toText(line)}\n`),
});

const toText = (line: string): string => {
  const { level, time: _, event, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const named = typeof event === 'string' ? ` (${[event, ...fields].join(' ')})` : '';
  // One event is one line, whatever is in it.
  return `<${JOURNAL_PRIORITIES[String(level)] ?? 6}>${String(msg)}${named}`.replaceAll(/[\r\n]+/g, ' ');
};
