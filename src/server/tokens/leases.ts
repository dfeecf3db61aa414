import { isUnavailable } from '#server/app-error.ts';
import { FLIGHT_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { Permit, Platform } from '#server/platform/platform.ts';
import { sleep, type Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { Send } from './refill.ts';
import { addDoubt, type Suspicion } from './suspicion.ts';
import {
  recordAnswer,
  recordSend,
  suspectedBecause,
  tokenFreeAt,
  type Flight,
  type SuspectedBecause,
  type TokenAnswer,
} from './token-rules.ts';
import type { Look, TokenChange, TokenRow, TokenStore } from './token-store.ts';

type Answer = ReturnType<Permit<'getUser'>['send']>;

/** A token and a permit, for one lookup. */
export type Lease = {
  readonly getUser: (id: Snowflake, deadlineMs: number) => Answer;
  readonly release: () => void;
};

export type PoolMember = { readonly id: string; readonly token: BotToken; requests: number };

type LeasesDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: TokenStore;
  /** Undefined if this process does not have its secret. */
  readonly memberOf: (id: string) => PoolMember | undefined;
  readonly onSuspected: (because: SuspectedBecause, token: BotToken) => void;
  /** A token may be free again. */
  readonly onRecorded: () => void;
  readonly onFailure: (error: unknown) => void;
};

const RECORD_AGAIN_MS = 250;

export const createLeases = (deps: LeasesDeps) => {
  const { clock, platform, store, memberOf, onSuspected, onRecorded, onFailure } = deps;

  const isFree = (row: TokenRow): boolean =>
    memberOf(row.id) !== undefined && tokenFreeAt(row.record, store.nowMs()) <= store.nowMs();

  const doubt = async ({ token, receivedMs }: TokenFlight & Flight, answer: TokenAnswer | null) => {
    const because = suspectedBecause(answer);
    if (because !== null) onSuspected(because, token);
    let isMass = false;
    await changeSuspicion(store, (suspicion) => {
      const after = addDoubt(suspicion, receivedMs);
      ({ isMass } = after);
      return after.next;
    });
    if (isMass) await store.suspectAll();
  };

  /** Null if nothing was sent after all. */
  const record = async (flight: TokenFlight, answer: TokenAnswer | null): Promise<void> => {
    const exchange = { ...flight, receivedMs: store.nowMs() };
    const deadlineMs = clock.monotonicMs() + FLIGHT_MS;
    for (;;) {
      try {
        const after = await changeToken(store, { id: flight.id }, (row) =>
          afterAnswer(row, answer, exchange),
        );
        if (after?.isSuspected === true) await doubt(exchange, answer);
        return onRecorded();
      } catch (error) {
        if (!isUnavailable(error)) return onFailure(error);
        if (clock.monotonicMs() > deadlineMs) return;
        await sleep(clock, RECORD_AGAIN_MS);
      }
    }
  };

  const take = async (): Promise<Lease | null> => {
    if (platform.waitMs('getUser') > 0 || !(await store.read('free')).some(isFree)) return null;
    const permit = await platform.attempt('getUser');
    if (permit === null) return null;
    const taken = await changeToken(store, 'free', (row, nowMs) =>
      isFree(row) ? afterSend(row, { nowMs, byMs: Math.max(nowMs, permit.slotMs()) }) : null,
    ).catch(releaseAndThrow(permit));
    const member = taken && memberOf(taken.id);
    if (!taken || !member) {
      permit.release();
      return null;
    }
    member.requests += 1;
    const { token } = member;
    const flight = (): TokenFlight => ({ ...taken, token, sentMs: permit.slotMs() });
    return {
      getUser: async (id, deadlineMs) => {
        let answer: Awaited<Answer> | null = null;
        try {
          answer = await permit.send(id, token, deadlineMs);
          return answer;
        } finally {
          void record(flight(), answer);
        }
      },
      release: () => {
        permit.release();
        void record(flight(), null);
      },
    };
  };

  return { take };
};

type TokenFlight = {
  readonly id: string;
  readonly token: BotToken;
  readonly flightMs: number;
  readonly sentMs: number;
};

const afterSend = ({ id, record }: TokenRow, send: Send) => {
  const { nowMs } = send;
  const after = recordSend(record, send);
  return {
    id,
    flightMs: nowMs,
    record: after,
    freeAtMs: Math.max(nowMs, tokenFreeAt(after, nowMs)),
    place: 'in-use' as const,
  };
};

/** Null if it has been recorded already. */
const afterAnswer = (row: TokenRow, answer: TokenAnswer | null, flight: Flight) => {
  const after = recordAnswer(row.record, answer, flight);
  if (after === null) return null;
  const { receivedMs } = flight;
  const { record } = after;
  const isSuspected = after.isSuspect && !row.isSuspect;
  if (row.isSuspect || isSuspected) {
    const freeAtMs = isSuspected ? receivedMs : row.freeAtMs;
    return { record, freeAtMs, place: 'suspect' as const, isSuspected };
  }
  const freeAtMs = tokenFreeAt(record, receivedMs);
  // One that has been free for a while keeps its turn.
  const turnMs = freeAtMs <= receivedMs ? Math.min(row.freeAtMs, receivedMs) : freeAtMs;
  return { record, freeAtMs: turnMs, place: 'in-use' as const, isSuspected };
};

/** A permit that is not used goes back. */
export const releaseAndThrow =
  ({ release }: Pick<Lease, 'release'>) =>
  (error: unknown): never => {
    release();
    throw error;
  };

/** Changes the first token for which a change is decided; decides again if somebody else was faster. */
export const changeToken = async <T extends TokenChange>(
  store: TokenStore,
  look: Look,
  decide: (row: TokenRow, nowMs: number) => T | null,
): Promise<T | null> => {
  for (;;) {
    const rows = await store.read(look);
    let change: T | null = null;
    const row = rows.find((one) => (change = decide(one, store.nowMs())) !== null);
    if (row === undefined || change === null) return null;
    if (await store.write(row, change)) return change;
  }
};

export const changeSuspicion = async (
  store: TokenStore,
  decide: (suspicion: Suspicion, nowMs: number) => Suspicion | null,
): Promise<Suspicion | null> => {
  for (;;) {
    const known = store.suspicion();
    const next = decide(known, store.nowMs());
    if (next === null || (await store.writeSuspicion(known, next))) return next;
  }
};
