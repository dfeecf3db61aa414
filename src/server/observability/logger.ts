import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export type { Logger };

/** One JSON object a line. `events` decides what is logged; secrets are redacted by name as a second net. */
export const createLogger = (level: string, destination?: DestinationStream): Logger => {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ['token', 'proof', 'authorization', '*.token', '*.proof', '*.authorization'],
  };
  return destination === undefined ? pino(options) : pino(options, destination);
};
