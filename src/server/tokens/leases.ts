import type { BotToken } from '#server/platform/bot-token.ts';
import { recordPatiently } from '#server/platform/platform-store.ts';
import type { Permit, Platform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { coolBudget, type Send } from './refill.ts';
import { addDoubt, doubtsOf, type Suspicion } from './suspicion.ts';
import {
  draftOf,
  recordAnswer,
  recordSend,
  tokenFreeAt,
  type Flight,
  type SuspectedBecause,
  type TokenAnswer,
} from './token-rules.ts';
import type { Look, TokenRow, TokenStore } from './token-store.ts';

type Sent = Omit<Flight, 'receivedMs'>;

type Answer = ReturnType<Permit<'getUser'>['send']>;

/** A token and a permit, for one lookup. */
export type Lease = {
  readonly getUser: (id: Snowflake, deadlineMs: number) => Answer;
  readonly release: () => void;
};

export type PoolMember = {
  readonly id: string;
  readonly token: BotToken;
  /** The operator's. */
  readonly isOwn: boolean;
  requests: number;
};

export type PoolParts = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: TokenStore;
  /** Undefined if this process does not have its secret. */
  readonly memberOf: (id: string) => PoolMember | undefined;
  readonly ownIds: () => readonly string[];
  readonly lentWaitMs: () => number;
  readonly onFailure: (error: unknown) => void;
};

type LeasesDeps = PoolParts & {
  readonly onSuspected: (because: SuspectedBecause, token: BotToken) => void;
  /** A token may be free again. */
  readonly onRecorded: () => void;
};

export const createLeases = (deps: LeasesDeps) => {
  const { clock, platform, store, memberOf, ownIds, lentWaitMs, onSuspected, onRecorded, onFailure } = deps;

  const isFree = (row: TokenRow): boolean =>
    memberOf(row.id) !== undefined && tokenFreeAt(row.record, store.nowMs()) <= store.nowMs();
  const isOwn = ({ id }: TokenRow): boolean => memberOf(id)?.isOwn === true;

  const restLent = async (waitMs: number): Promise<void> => {
    const rest = (row: TokenRow, nowMs: number) =>
      isFree(row) && !isOwn(row) ? afterRest(row, waitMs, nowMs) : null;
    while (await changeToken(store, 'free', rest));
  };

  const doubt = async (
    { token, isOwn }: PoolMember,
    because: SuspectedBecause,
    nowMs: number,
  ): Promise<void> => {
    onSuspected(because, token);
    const doubts = doubtsOf(isOwn);
    const suspicion = await changeSuspicion(store, (before) => addDoubt(before, doubts, nowMs));
    if (suspicion?.[doubts].length === 0) await store.suspectAll(ownIds(), isOwn);
  };

  /** Null if nothing was sent after all. */
  const record = (member: PoolMember, sent: Sent, answer: TokenAnswer | null): Promise<void> => {
    const { id } = member;
    const flight = { ...sent, receivedMs: store.nowMs() };
    const work = async (): Promise<void> => {
      const after = await changeToken(store, { id }, (row) => afterAnswer(row, answer, flight));
      if (after !== null && after.because !== null) await doubt(member, after.because, flight.receivedMs);
      onRecorded();
    };
    return recordPatiently(clock, work, onFailure);
  };

  const take = async (): Promise<Lease | null> => {
    if (platform.waitMs('getUser') > 0) return null;
    const lentMs = lentWaitMs();
    if (lentMs > 0) await restLent(lentMs);
    if (!(await store.read('free')).some(isFree)) return null;
    const permit = await platform.attempt('getUser');
    if (permit === null) return null;
    const taken = await changeToken(store, 'free', (row, nowMs) =>
      isFree(row) && (lentMs <= 0 || isOwn(row))
        ? afterSend(row, { nowMs, byMs: Math.max(nowMs, permit.slotMs()) })
        : null,
    ).catch(releaseAndThrow(permit));
    const member = taken && memberOf(taken.next.id);
    if (!taken || !member) {
      permit.release();
      return null;
    }
    member.requests += 1;
    const settle = (answer: TokenAnswer | null): void =>
      void record(member, { flightMs: taken.flightMs, sentMs: permit.slotMs() }, answer);
    return {
      getUser: async (id, deadlineMs) => {
        let answer: Awaited<Answer> | null = null;
        try {
          answer = await permit.send(id, member.token, deadlineMs);
          return answer;
        } finally {
          settle(answer);
        }
      },
      release: () => {
        permit.release();
        settle(null);
      },
    };
  };

  return { take };
};

const afterSend = (row: TokenRow, send: Send) => {
  const { nowMs } = send;
  const record = recordSend(row.record, send);
  const freeAtMs = Math.max(nowMs, tokenFreeAt(record, nowMs));
  return { next: { ...row, record, freeAtMs }, flightMs: nowMs };
};

/** Until answers in flight have come, if only they can tell how long. */
const SHORTEST_REST_MS = 1_000;

const afterRest = (row: TokenRow, waitMs: number, nowMs: number) => {
  const freeAtMs = nowMs + (waitMs === Infinity ? SHORTEST_REST_MS : waitMs);
  const record = draftOf(row.record, nowMs);
  coolBudget(record, freeAtMs);
  return { next: { ...row, record, freeAtMs } };
};

/** Null if it has been recorded already. */
const afterAnswer = (row: TokenRow, answer: TokenAnswer | null, flight: Flight) => {
  const after = recordAnswer(row.record, answer, flight);
  if (after === null) return null;
  const { receivedMs } = flight;
  const { record } = after;
  const because = row.isSuspect ? null : after.because;
  if (because !== null) return { next: { ...row, record, freeAtMs: receivedMs, isSuspect: true }, because };
  if (row.isSuspect) return { next: { ...row, record }, because };
  const freeAtMs = tokenFreeAt(record, receivedMs);
  // One that has been free for a while keeps its turn.
  const turnMs = freeAtMs <= receivedMs ? Math.min(row.freeAtMs, receivedMs) : freeAtMs;
  return { next: { ...row, record, freeAtMs: turnMs }, because };
};

/** A permit that is not used goes back. */
export const releaseAndThrow =
  ({ release }: Pick<Lease, 'release'>) =>
  (error: unknown): never => {
    release();
    throw error;
  };

/** Changes the first token for which a change is decided; decides again if somebody else was faster. */
export const changeToken = async <T extends { readonly next: TokenRow | null }>(
  store: TokenStore,
  look: Look,
  decide: (row: TokenRow, nowMs: number) => T | null,
): Promise<T | null> => {
  for (;;) {
    const rows = await store.read(look);
    const decided = rows.values().map((row) => ({ row, change: decide(row, store.nowMs()) }));
    const { row, change } = decided.find((one) => one.change !== null) ?? {};
    if (row === undefined || !change) return null;
    if (await store.write(row, change.next)) return change;
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
