import { LATE_MS, sendIntervalMs } from '#server/rules/pace.ts';
import { NEW_STANDING, type Standing, type Standings } from '#server/rules/standing.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import type { Clock } from '#server/system.ts';
import { createMemoryTokens, type Holds } from './memory-tokens.ts';
import type { Change, OpenTokenStore } from './token-store.ts';

export type MemoryTokenStoreDeps = {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly journal?: StandingJournal | undefined;
  /** What is known here still holds; lookups must not fail because a disk is full. */
  readonly onJournalFailed?: () => void;
};

/** Our standing and the tokens on hold outlive the process, and commands on the same machine have one of their own. */
export type StandingJournal = {
  readonly own: Standing;
  readonly holds: Holds;
  readonly others: () => readonly Standing[];
  readonly keep: (standing: Standing, holds: Holds) => Promise<void>;
};

const NO_OTHERS: readonly Standing[] = [];
const NO_JOURNAL: StandingJournal = {
  own: NEW_STANDING,
  holds: {},
  others: () => NO_OTHERS,
  keep: async () => {},
};

/** The tokens, the pace and the standing of a process that is alone. */
export const openMemoryTokenStore = (deps: MemoryTokenStoreDeps): OpenTokenStore => {
  const { clock, perSecond, journal = NO_JOURNAL, onJournalFailed = () => {} } = deps;
  const intervalMs = sendIntervalMs(perSecond);
  // Comparable with the times of other processes, and steady.
  const startMs = clock.wallMs() - clock.monotonicMs();
  const nowMs = (): number => startMs + clock.monotonicMs();

  return (onChange) => {
    const tokens = createMemoryTokens(journal.holds);
    let others = journal.others();
    let standings: Standings = [journal.own, ...others];
    let standingVersion = 0;
    let tatMs = -Infinity;

    /** With what commands have noted meanwhile. */
    const readStandings = (): Standings => {
      if (others === journal.others()) return standings;
      others = journal.others();
      standings = [standings[0], ...others];
      return standings;
    };
    const noteFault = (error: unknown): void => {
      if (!isStorageFault(error)) throw error;
      onJournalFailed();
    };
    const isCurrent = ({ view, token, standing, isSend }: Change): boolean =>
      (token === undefined || tokens.isCurrent(token.row)) &&
      ((standing === undefined && isSend !== true) || view.standingVersion === standingVersion);
    const slotWaitMs = (): number => tatMs - LATE_MS - nowMs();

    return {
      nowMs,
      lookAheadMs: 0,
      add: (id) => {
        if (tokens.add(id)) onChange();
      },
      remove: async (id) => tokens.remove(id),
      read: (look) => {
        const atMs = nowMs();
        return {
          nowMs: atMs,
          standings: readStandings(),
          standingVersion,
          tokens: tokens.read(look, atMs),
        };
      },
      apply: (change) => {
        const { token, standing, isSend, suspectAll } = change;
        if (!isCurrent(change) || (isSend === true && slotWaitMs() > 0)) return null;
        const slotMs = nowMs();
        if (isSend === true) tatMs = Math.max(tatMs, slotMs) + intervalMs;
        if (token !== undefined) tokens.write(token);
        if (suspectAll === true) tokens.suspectAll();
        if (standing === undefined) return slotMs;
        standings = [standing, ...others];
        standingVersion += 1;
        return journal
          .keep(standing, tokens.holds())
          .catch(noteFault)
          .then(() => slotMs);
      },
      standings: readStandings,
      slotWaitMs,
      tokenWait: () => ({ waitMs: tokens.firstFreeMs() - nowMs(), mayBeSooner: tokens.isAnyAway() }),
      size: tokens.size,
      counts: () => tokens.counts(nowMs()),
      states: () => tokens.states(nowMs()),
    };
  };
};
