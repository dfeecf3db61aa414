import type { BotToken } from '#server/platform/bot-token.ts';
import { recordPatiently } from '#server/platform/gate.ts';
import type { Permit, Platform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { Send } from './refill.ts';
import { addDoubt, type Suspicion } from './suspicion.ts';
import {
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

export type PoolMember = { readonly id: string; readonly token: BotToken; requests: number };

export type PoolParts = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: TokenStore;
  /** Undefined if this process does not have its secret. */
  readonly memberOf: (id: string) => PoolMember | undefined;
  readonly onFailure: (error: unknown) => void;
};

type LeasesDeps = PoolParts & {
  readonly onSuspected: (because: SuspectedBecause, token: BotToken) => void;
  /** A token may be free again. */
  readonly onRecorded: () => void;
};

export const createLeases = (deps: LeasesDeps) => {
  const { clock, platform, store, memberOf, onSuspected, onRecorded, onFailure } = deps;

  const isFree = (row: TokenRow): boolean =>
    memberOf(row.id) !== undefined && tokenFreeAt(row.record, store.nowMs()) <= store.nowMs();

  const doubt = async (token: BotToken, because: SuspectedBecause, nowMs: number): Promise<void> => {
    onSuspected(because, token);
    const suspicion = await changeSuspicion(store, (before) => addDoubt(before, nowMs));
    if (suspicion?.doubtsMs.length === 0) await store.suspectAll();
  };

  /** Null if nothing was sent after all. */
  const record = ({ id, token }: PoolMember, sent: Sent, answer: TokenAnswer | null): Promise<void> => {
    const flight = { ...sent, receivedMs: store.nowMs() };
    const work = async (): Promise<void> => {
      const after = await changeToken(store, { id }, (row) => afterAnswer(row, answer, flight));
      if (after !== null && after.because !== null) await doubt(token, after.because, flight.receivedMs);
      onRecorded();
    };
    return recordPatiently(clock, work, onFailure);
  };

  const take = async (): Promise<Lease | null> => {
    if (platform.waitMs('getUser') > 0 || !(await store.read('free')).some(isFree)) return null;
    const permit = await platform.attempt('getUser');
    if (permit === null) return null;
    const taken = await changeToken(store, 'free', (row, nowMs) =>
      isFree(row) ? afterSend(row, { nowMs, byMs: Math.max(nowMs, permit.slotMs()) }) : null,
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
