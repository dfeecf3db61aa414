import { isStorageFault } from '#server/storage/storage-fault.ts';
import type { Clock } from '#server/system.ts';
import type { EgressJournal, EgressNote } from '../egress-file.ts';
import { LONGEST_BAN_MS, type Settlement } from '../egress-rules.ts';
import { COUNTED_MS, createSlidingCount, INVALID_REQUEST_LIMIT } from '../invalid-requests.ts';
import type { Question } from '../questions.ts';

export type StandingDeps = {
  readonly clock: Clock;
  readonly journal: EgressJournal;
  /** What is known in memory still holds; lookups must not fail because a disk is full. */
  readonly onJournalFailed: () => void;
  /** A command sends few requests and notes each, so that the server leaves it a turn. */
  readonly isCommand?: boolean;
  readonly limit?: number;
};

export type Standing = ReturnType<typeof createStanding>;

/** A request counts towards the pace for no longer. */
const PACED_MS = 1_000;

/** What the platform holds against our address, as known here and to the other processes of this machine. */
export const createStanding = (deps: StandingDeps) => {
  const { clock, journal, onJournalFailed, isCommand = false, limit = INVALID_REQUEST_LIMIT } = deps;
  const invalid = createSlidingCount(clock);

  const write = (note: EgressNote): void => {
    try {
      journal.write(note);
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      onJournalFailed();
    }
  };
  const read = (): readonly EgressNote[] => {
    try {
      return journal.read();
    } catch (error) {
      // Then it cannot be written either, which is reported.
      if (!isStorageFault(error)) throw error;
      return [];
    }
  };

  return {
    limit,
    /** Counts the invalid answers that others have noted, and tells of their bans and requests. */
    catchUp: () => {
      const [nowMs, wallMs] = [clock.monotonicMs(), clock.wallMs()];
      const news = { bans: new Map<Question, number>(), sent: 0 };
      for (const note of read()) {
        const agoMs = wallMs - note.at;
        if (note.kind === 'invalid' && agoMs < COUNTED_MS) invalid.add(nowMs - Math.max(0, agoMs));
        if (note.kind === 'sent' && agoMs >= 0 && agoMs < PACED_MS) news.sent += 1;
        if (note.kind !== 'banned' || note.until <= wallMs) continue;
        const untilMs = nowMs + Math.min(note.until - wallMs, LONGEST_BAN_MS);
        news.bans.set(note.question, Math.max(untilMs, news.bans.get(note.question) ?? 0));
      }
      return news;
    },
    sent: (): void => {
      if (isCommand) write({ kind: 'sent', at: clock.wallMs() });
    },
    settled: (question: Question, { isInvalid, banMs }: Settlement): void => {
      const at = clock.wallMs();
      if (isInvalid) {
        invalid.add();
        write({ kind: 'invalid', at });
      }
      if (banMs !== null) write({ kind: 'banned', at, question, until: at + banMs });
    },
    count: invalid.total,
    cells: invalid.cells,
    /** When another request may leave, given how many are in flight: each of them may turn out invalid. */
    freeAtMs: (nowMs: number, inFlight: number) => invalid.freeAtMs(nowMs, limit, inFlight),
  };
};
