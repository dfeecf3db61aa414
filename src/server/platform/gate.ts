import { isUnavailable } from '#server/app-error.ts';
import { FLIGHT_MS, PERMIT_MS } from '#server/deadlines.ts';
import { MAX_LATE_MS } from '#server/rules/pace.ts';
import type { Exchange } from '#server/rules/refill.ts';
import {
  beginProbe,
  countInvalid,
  gateOf,
  INVALID_REQUEST_LIMIT,
  settleStanding,
  type Gate as StandingGate,
  type Settled,
  type Standing,
} from '#server/rules/standing.ts';
import type { Suspicion } from '#server/rules/suspicion.ts';
import type { Change, Look, TokenRow, TokenStore, TokenWrite, View } from '#server/state/token-store.ts';
import { sleep, type Clock, type Random } from '#server/system.ts';
import type { BotToken } from './bot-token.ts';
import type { Endpoint, PlatformAnswer } from './wire/platform-answer.ts';

export type TokenFlight = { readonly id: string; readonly token: BotToken | null; readonly flightMs: number };

export type TokenSteps = {
  readonly look: Look;
  readonly send: (view: View) => (TokenStep & { readonly flight: TokenFlight }) | null;
  /** After the answer, which is null if nothing was sent after all. Null if it has been recorded already. */
  readonly settle: (
    view: View,
    flight: TokenFlight & Exchange,
    answer: PlatformAnswer<unknown> | null,
  ) => (TokenStep & OnWritten) | null;
};

type OnWritten = { readonly onWritten?: (() => void) | undefined };

type TokenStep = Pick<Change, 'token' | 'suspectAll'> & { readonly suspicion?: Suspicion | undefined };

export type Grant = {
  /** By the store's clock. */
  readonly slotMs: number;
  readonly endpoint: Endpoint;
  readonly steps: TokenSteps;
  readonly flight: TokenFlight;
  readonly isProbe: boolean;
  /** On our own clock. */
  readonly grantedMs: number;
};

export type GateDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: TokenStore;
  readonly onDefect: (error: unknown) => void;
  readonly invalidRequestLimit?: number | undefined;
};

const NO_TOKEN: TokenSteps = {
  look: 'none',
  send: () => ({ flight: { id: '', token: null, flightMs: 0 } }),
  settle: () => ({}),
};
const RECORD_AGAIN_MS = 250;

const lookOf = (flight: TokenFlight): Look => (flight.token === null ? 'none' : flight);
const unchanged = (row: TokenRow): TokenWrite => ({
  row,
  record: row.record,
  freeAtMs: row.freeAtMs,
  place: row.isSuspect ? 'suspect' : 'in-use',
});

const withSuspicion = (standing: Standing, suspicion = standing.suspicion): Standing =>
  suspicion === standing.suspicion ? standing : { ...standing, suspicion };

export const createGate = (deps: GateDeps) => {
  const { clock, random, store, onDefect, invalidRequestLimit: limit = INVALID_REQUEST_LIMIT } = deps;
  let inFlight = 0;

  const standingGate = (endpoint: Endpoint): StandingGate =>
    gateOf(store.standings(), endpoint, { nowMs: store.nowMs(), inFlight, limit });

  const isSlotNow = (slotMs: number): boolean => {
    const lateMs = store.nowMs() - slotMs;
    return store.lookAheadMs === 0 || (lateMs >= 0 && lateMs <= MAX_LATE_MS);
  };

  const changeAfter = (view: View, grant: Grant, settled: Settled): (Change & OnWritten) | undefined => {
    const { steps, flight, slotMs } = grant;
    const exchange = { ...flight, sentMs: slotMs, receivedMs: settled.nowMs };
    const step = steps.settle(view, exchange, settled.answer);
    if (step === null) return undefined;
    const standing = withSuspicion(settleStanding(view.standings, settled, random), step.suspicion);
    const { token, suspectAll, onWritten } = step;
    if (standing !== view.standings[0]) return { view, token, standing, suspectAll, onWritten };
    return token === undefined ? undefined : { view, token };
  };

  return {
    take: async (endpoint: Endpoint, steps = NO_TOKEN): Promise<Grant | null> => {
      const pending = inFlight;
      let isGranted = false;
      inFlight += 1;
      try {
        for (;;) {
          const grantedMs = clock.monotonicMs();
          const view = await store.read(steps.look);
          const { nowMs, standings } = view;
          if (gateOf(standings, endpoint, { nowMs, inFlight: pending, limit }).atMs > nowMs) return null;
          const step = steps.send(view);
          if (step === null) return null;
          const probing = beginProbe(standings, endpoint, nowMs);
          const isProbe = probing !== standings[0];
          const standing = withSuspicion(probing, step.suspicion);
          const slotMs = await store.apply({
            view,
            token: step.token,
            standing: standing === standings[0] ? undefined : standing,
            isSend: true,
          });
          isGranted = slotMs !== null;
          if (slotMs !== null) return { endpoint, steps, flight: step.flight, isProbe, grantedMs, slotMs };
          if (store.slotWaitMs() > 0) return null;
        }
      } finally {
        if (!isGranted) inFlight -= 1;
      }
    },
    /** What leaves after its slot comes too close to what is sent after it, so it takes another slot. */
    awaitSlot: async ({ slotMs, grantedMs, flight }: Grant): Promise<boolean> => {
      let nextMs = slotMs;
      for (;;) {
        const waitMs = Math.max(0, nextMs - store.nowMs());
        // Never later, whatever the store's clock does meanwhile.
        if (clock.monotonicMs() + waitMs - grantedMs > PERMIT_MS) return false;
        if (waitMs > 0) await sleep(clock, waitMs);
        if (isSlotNow(nextMs)) return true;
        const view = await store.read(lookOf(flight));
        const [row] = view.tokens;
        if (flight.token !== null && row === undefined) return false;
        const slot = await store.apply({ view, token: row && unchanged(row), isSend: true });
        if (slot === null) await sleep(clock, Math.max(1, store.slotWaitMs()));
        else nextMs = slot;
      }
    },
    settle: async (grant: Grant, answer: PlatformAnswer<unknown> | null): Promise<void> => {
      inFlight -= 1;
      const { endpoint, isProbe, flight } = grant;
      const look = lookOf(flight);
      const settled = { endpoint, isProbe, answer, nowMs: store.nowMs() };
      const deadlineMs = clock.monotonicMs() + FLIGHT_MS;
      for (;;) {
        try {
          const change = changeAfter(await store.read(look), grant, settled);
          if (change === undefined) return;
          if ((await store.apply(change)) !== null) return change.onWritten?.();
        } catch (error) {
          if (!isUnavailable(error)) return onDefect(error);
          if (clock.monotonicMs() > deadlineMs) return;
          await sleep(clock, RECORD_AGAIN_MS);
        }
      }
    },
    waitMs: (endpoint: Endpoint): number =>
      Math.max(store.slotWaitMs(), standingGate(endpoint).atMs - store.nowMs()),
    pause: (endpoint: Endpoint) => {
      const { atMs, cause } = standingGate(endpoint);
      const waitMs = atMs - store.nowMs();
      return waitMs > 0 ? { cause, waitMs } : null;
    },
    inFlight: () => inFlight,
    invalidRequests: () => countInvalid(store.standings(), store.nowMs()),
  };
};
