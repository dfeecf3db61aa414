import type { InBackground } from '#server/storage/redis/in-background.ts';
import type { DiscordUser } from '#server/platform/discord-objects.ts';
import type { Permit } from '#server/platform/permit.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { PoolMember } from './pool-members.ts';
import type { Flight, TokenLedger } from './token-ledger.ts';
import { suspectedBecause, type SuspectedBecause } from './rules/token-rules.ts';
import type { TakenToken } from './token-store/token-store.ts';

/** A permit and the token to use it with: good for one request, which the pool learns from. */
export type Lease = {
  readonly getUser: (id: Snowflake, patienceMs: number) => Promise<PlatformAnswer<DiscordUser>>;
  /** For a request that will not be made after all. */
  readonly release: () => void;
};

export type LeasesDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly ledger: TokenLedger;
  readonly memberOf: (id: string) => PoolMember | undefined;
  readonly inBackground: InBackground;
  readonly onSuspected: (because: SuspectedBecause) => void;
  readonly onSettled: () => void;
};

/** The token was removed before its request left. */
const REMOVED: PlatformAnswer<never> = { kind: 'failed', reason: 'network' };

/** Takes a lease; null if there is none now. */
export const createTakeLease = (deps: LeasesDeps): (() => Promise<Lease | null>) => {
  const { clock, platform, ledger, memberOf, inBackground, onSuspected, onSettled } = deps;

  const settle = (flight: Flight, answer: PlatformAnswer<unknown> | null): void =>
    inBackground(async () => {
      const isNewSuspect = await ledger.settle(flight, answer).finally(onSettled);
      const because = suspectedBecause(answer);
      if (isNewSuspect && because !== null) onSuspected(because);
    });

  const release = (permit: Permit<'getUser'>, flight: Flight): void => {
    permit.release();
    settle(flight, null);
  };

  const createLease = (permit: Permit<'getUser'>, flight: Flight, member: PoolMember): Lease => ({
    getUser: async (id, patienceMs) => {
      if (memberOf(flight.id) !== member) {
        release(permit, flight);
        return REMOVED;
      }
      let answer: PlatformAnswer<DiscordUser> | null = null;
      try {
        answer = await permit.ask(id, member.token, patienceMs);
        return answer;
      } finally {
        if (answer !== null) member.requests += 1;
        settle(flight, answer);
      }
    },
    release: () => release(permit, flight),
  });

  const permitFor = async (taken: TakenToken): Promise<Permit<'getUser'> | null> => {
    let permit: Permit<'getUser'> | null = null;
    try {
      permit = await platform.requestPermit('getUser');
      return permit;
    } finally {
      if (permit === null) await ledger.giveBack(taken);
    }
  };

  const send = async (taken: TakenToken, permit: Permit<'getUser'>): Promise<Flight | null> => {
    let flight: Flight | null = null;
    try {
      flight = await ledger.send(taken);
      return flight;
    } finally {
      if (flight === null) permit.release();
    }
  };

  /** A token first, then a permit for it: no slot of the pace is spent on a token that cannot be used. */
  return async () => {
    for (;;) {
      const nowMs = clock.monotonicMs();
      if (platform.freeAtMs('getUser', nowMs) > nowMs) return null;
      const taken = await ledger.take();
      const permit = taken && (await permitFor(taken));
      if (taken === null || permit === null) return null;
      const flight = await send(taken, permit);
      if (flight === null) continue;
      const member = memberOf(flight.id);
      if (member !== undefined) return createLease(permit, flight, member);
      // Removed meanwhile.
      release(permit, flight);
    }
  };
};
