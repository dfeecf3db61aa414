import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Random } from '#server/system.ts';
import type { Question } from '../questions.ts';
import { banPauseMs, isInvalid } from '../egress-gate.ts';
import type { PlatformAnswer } from '../platform-answer.ts';
import { SETTLE } from './gate-scripts.ts';

export type FlightReportsDeps = {
  readonly random: Random;
  readonly store: Pick<SharedStore, 'session'>;
  /** Gate, flights, invalid. */
  readonly keys: readonly [string, string, string];
};

export type ReportedFlight = {
  readonly question: Question;
  readonly name: string;
  readonly isProbe: boolean;
};

/** Tells the store what came of a request. In the background: whoever waits for the answer does not wait for this. */
export const createFlightReports = ({ random, store, keys }: FlightReportsDeps) => {
  let unreported = 0;

  const tellAll = async (
    { question, name }: ReportedFlight,
    answer: PlatformAnswer<unknown> | null,
  ): Promise<void> => {
    const banMs = answer?.kind === 'blocked' ? banPauseMs(answer.retryAfterMs, random) : '';
    const outcome = answer === null || answer.kind === 'failed' ? 'silent' : 'answered';
    const invalid = unreported;
    unreported = 0;
    try {
      await store.session().call(SETTLE, keys, [question, name, invalid, banMs, outcome]);
    } catch (error) {
      unreported += invalid;
      throw error;
    }
  };

  return (flight: ReportedFlight, answer: PlatformAnswer<unknown> | null): void => {
    if (answer !== null && isInvalid(answer)) unreported += 1;
    const isPlain = !flight.isProbe && answer?.kind !== 'blocked' && unreported === 0;
    const land = async () => store.session().send('ZREM', keys[1], flight.name);
    // The store forgets the flight by itself, and an invalid answer is counted with the next one.
    (isPlain ? land() : tellAll(flight, answer)).catch(() => {});
  };
};
