import { FLIGHT_MS } from '#server/deadlines.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import { addDoubt, addVerdict, endSuspicion, NO_SUSPICION, type SuspectVerdict } from './rules/suspicion.ts';
import { budgetFreeAt } from './rules/token-budget.ts';
import { isPlausible, type TokenRecord } from './rules/token-record.ts';
import { recordAnswer, recordSend } from './rules/token-rules.ts';
import type { SuspicionChange, TakenToken, TokenStore } from './token-store/token-store.ts';

/** A request that counts: the store has it on record. */
export type Flight = Pick<TakenToken, 'id' | 'epoch'> & {
  readonly sentMs: number;
  readonly record: TokenRecord;
};

/** Applies the rules to the store's records: reads one, decides, and writes it unless it has changed meanwhile. */
export const createTokenLedger = (store: TokenStore) => {
  let suspicion = NO_SUSPICION;

  const freeAtMs = (record: TokenRecord | null, nowMs: number): number =>
    record === null || !isPlausible(record, nowMs) ? nowMs : budgetFreeAt(record, nowMs);

  const mayUse = ({ takenMs }: TakenToken, record: TokenRecord | null): boolean =>
    freeAtMs(record, takenMs) <= takenMs;

  /** Given back for when it may send. */
  const postpone = (taken: TakenToken, record: TokenRecord | null): Promise<void> =>
    store.giveBack(taken, Math.min(freeAtMs(record, taken.takenMs), taken.takenMs + FLIGHT_MS));

  /** True if the suspect that it is about was still there. */
  const changeSuspicion = async (
    change: (old: typeof suspicion) => Pick<SuspicionChange, 'next' | 'effect'>,
  ): Promise<boolean> => {
    for (;;) {
      const { next, effect } = change(suspicion);
      const nextIfNone = endSuspicion(next);
      const outcome = await store.changeSuspicion({ old: suspicion, next, nextIfNone, effect });
      if ('wasSuspect' in outcome) return outcome.wasSuspect;
      suspicion = outcome.changed;
    }
  };

  return {
    /** A token that is not used after all. */
    giveBack: (taken: TakenToken) => store.giveBack(taken, taken.takenMs),

    /** A token that may send now, or null. */
    take: async (): Promise<TakenToken | null> => {
      for (;;) {
        const taken = await store.take();
        if (taken === null || mayUse(taken, taken.record)) return taken;
        await postpone(taken, taken.record);
      }
    },

    /**
     * Counts a request against a token that was taken. Once it resolves with a flight, and not before, the request may
     * leave. Null if the token cannot take it after all.
     */
    send: async (taken: TakenToken): Promise<Flight | null> => {
      const { id, epoch, takenMs } = taken;
      let old = taken.record;
      for (;;) {
        const next = recordSend(old, takenMs);
        const freeMs = budgetFreeAt(next, takenMs);
        const outcome = await store.put({ id, epoch, old, next, freeAtMs: freeMs, because: 'send' });
        if (outcome.kind === 'put') return { id, epoch, sentMs: takenMs, record: next };
        if (outcome.kind === 'gone') return null;
        old = outcome.record;
        if (mayUse(taken, old)) continue;
        await postpone(taken, old);
        return null;
      }
    },

    /** Records the answer to a flight; null if nothing was asked after all. True if that makes its token a suspect. */
    settle: async (flight: Flight, answer: PlatformAnswer<unknown> | null): Promise<boolean> => {
      const { id, epoch, sentMs } = flight;
      const receivedMs = store.nowMs();
      let old: TokenRecord | null = flight.record;
      for (;;) {
        const { record: next, isSuspect } = recordAnswer(old, answer, { sentMs, receivedMs });
        const freeMs = budgetFreeAt(next, receivedMs);
        const because = isSuspect ? 'suspect' : 'answer';
        const outcome = await store.put({ id, epoch, old, next, freeAtMs: freeMs, because });
        if (outcome.kind === 'changed') {
          old = outcome.record;
          continue;
        }
        const isNewSuspect = outcome.kind === 'put' && outcome.isNewSuspect;
        if (isNewSuspect)
          await changeSuspicion((before) => {
            const { next: after, isMass } = addDoubt(before, receivedMs);
            return { next: after, effect: { kind: isMass ? 'suspect-all' : 'none' } };
          });
        return isNewSuspect;
      }
    },

    /** Records the result of checking a suspect. True if its token is gone for good. */
    judge: async ({ id, record }: TakenToken, verdict: SuspectVerdict): Promise<boolean> => {
      const nowMs = store.nowMs();
      const freeMs = freeAtMs(record, nowMs);
      const wasSuspect = await changeSuspicion((before) => ({
        next: addVerdict(before, verdict, nowMs),
        effect: {
          kind: verdict,
          id,
          freeAtMs: freeMs === Infinity ? nowMs : freeMs,
          coolUntilMs: record?.coolUntilMs ?? 0,
        },
      }));
      return wasSuspect && verdict === 'dead';
    },
  };
};

export type TokenLedger = ReturnType<typeof createTokenLedger>;
