import { FLIGHT_MS } from '#server/platform/shared/gate-scripts.ts';
import type { Admission } from '#server/platform/shared/shared-platform.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Session } from '#server/storage/redis/session.ts';
import { coolBudget } from '../refill.ts';
import { settleAnswer } from '../settle-answer.ts';
import { budgetFreeAt, spendBudget } from '../token-budget.ts';
import { GIVE_BACK, PUT } from './pool-scripts.ts';
import { decodeTokenRecord, encodeTokenRecord, refillMs, type TokenRecord } from './token-record.ts';

/** A request that counts: the store has it on record. */
export type Flight = {
  readonly id: string;
  readonly epoch: string;
  readonly grantedMs: number;
  /** What the store knew of the token when it was counted. */
  readonly record: string;
};

type Purpose = 'spend' | 'report' | 'suspect';

/** A token that is refused again although the platform has just vouched for it rests: each refusal counts against us. */
const CONTRADICTION_REST_MS = 60_000;

/** What is written of a token: read, changed by the rules of one process, written if nobody else has meanwhile. */
export const createTokenLedger = (keys: readonly string[], learned: (periodMs: number) => void) => {
  const put = async (
    session: Session,
    { epoch, id, old, nowMs }: { epoch: string; id: string; old: string; nowMs: number },
    { record, purpose }: { record: TokenRecord; purpose: Purpose },
  ): Promise<{ readonly word: string; readonly second: string; readonly written: string }> => {
    const written = encodeTokenRecord(record);
    const freeAtMs = budgetFreeAt(record.budget, nowMs);
    const place = freeAtMs === Infinity ? 'away' : Math.max(0, freeAtMs).toFixed(3);
    const awayTillMs = (record.flights[0] ?? nowMs) + FLIGHT_MS;
    const coolTill = Math.max(0, record.budget.coolUntilMs).toFixed(3);
    const args = [epoch, id, old, written, place, awayTillMs.toFixed(3), coolTill, purpose];
    const [word = '', second = ''] = (await session.call(PUT, keys, args)) as readonly string[];
    learned(refillMs(record.budget));
    return { word, second, written };
  };

  const giveBack = ({ session, epoch, words }: Admission<'getUser'>, freeAtMs: number) =>
    session.call(GIVE_BACK, keys, [epoch, String(words[0]), String(words[2]), freeAtMs.toFixed(3)]);

  return {
    giveBack,

    /**
     * Counts the request against the token that came with the admission. Once it resolves with a flight, and not before,
     * the request may leave. Null if the token cannot take it after all; then it is given back.
     */
    spend: async (admission: Admission<'getUser'>): Promise<Flight | null> => {
      const { session, epoch, grantedMs, words } = admission;
      const id = String(words[0]);
      let old = String(words[1]);
      for (;;) {
        const record = decodeTokenRecord(old, grantedMs - FLIGHT_MS);
        const freeAtMs = budgetFreeAt(record.budget, grantedMs);
        if (freeAtMs > grantedMs) {
          await giveBack(admission, freeAtMs === Infinity ? grantedMs : freeAtMs);
          return null;
        }
        spendBudget(record.budget, grantedMs);
        record.flights.push(grantedMs);
        const taken = { epoch, id, old, nowMs: grantedMs };
        const { word, second, written } = await put(session, taken, { record, purpose: 'spend' });
        if (word === 'put') return { id, epoch, grantedMs, record: written };
        if (word !== 'lost') return null;
        // Somebody else's answer, or request: whether there is still room is asked again.
        old = second;
      }
    },

    /** What came of a flight. True if that makes the token a suspect. */
    report: async (
      session: Session,
      flight: Flight,
      { answer, receivedMs }: { answer: PlatformAnswer<unknown> | null; receivedMs: number },
    ): Promise<boolean> => {
      const { id, epoch, grantedMs } = flight;
      let old = flight.record;
      for (;;) {
        const record = decodeTokenRecord(old, receivedMs - FLIGHT_MS);
        const purpose = settleFlight(record, { answer, grantedMs, receivedMs });
        const { word, second } = await put(
          session,
          { epoch, id, old, nowMs: receivedMs },
          { record, purpose },
        );
        if (word !== 'lost') return second === 'suspected';
        old = second;
      }
    },
  };
};

const settleFlight = (
  record: TokenRecord,
  {
    answer,
    grantedMs,
    receivedMs,
  }: { answer: PlatformAnswer<unknown> | null; grantedMs: number; receivedMs: number },
): Purpose => {
  const { budget, suspectedMs } = record;
  // Not there any more if it was given up.
  if (record.flights.includes(grantedMs)) record.flights.splice(record.flights.indexOf(grantedMs), 1);
  budget.inFlight = record.flights.length + 1;
  settleAnswer(budget, answer, { sentMs: grantedMs, receivedMs });
  const isDoubtful = answer?.kind === 'unauthorized' || answer?.kind === 'foreign';
  // What was sent before it was set aside says nothing new.
  if (!isDoubtful || grantedMs <= suspectedMs) return 'report';
  if (receivedMs - suspectedMs < CONTRADICTION_REST_MS)
    coolBudget(budget, receivedMs + CONTRADICTION_REST_MS);
  record.suspectedMs = receivedMs;
  return 'suspect';
};
