import type { InBackground } from '#server/storage/redis/in-background.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/discord-objects.ts';
import type { Permit } from '#server/platform/permit.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { PoolMember } from './pool-members.ts';
import type { Flight, TokenLedger } from './token-ledger.ts';
import { suspectedBecause, type SuspectedBecause } from './rules/token-rules.ts';

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
  readonly onSuspected: (because: SuspectedBecause, token: BotToken) => void;
  readonly onSettled: () => void;
};

/** The token was removed before its request left. */
const REMOVED: PlatformAnswer<never> = { kind: 'failed', reason: 'network' };

/** Takes a lease; null if there is none now. */
export const createTakeLease = (deps: LeasesDeps): (() => Promise<Lease | null>) => {
  const { clock, platform, ledger, memberOf, inBackground, onSuspected, onSettled } = deps;

  const settle = (flight: Flight, answer: PlatformAnswer<unknown> | null, token?: BotToken): void =>
    inBackground(async () => {
      try {
        const isNewSuspect = await ledger.settle(flight, answer);
        const because = suspectedBecause(answer);
        if (isNewSuspect && because !== null && token !== undefined) onSuspected(because, token);
      } finally {
        onSettled();
      }
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
        settle(flight, answer, member.token);
      }
    },
    release: () => release(permit, flight),
  });

  return async () => {
    for (;;) {
      const nowMs = clock.monotonicMs();
      if (platform.freeAtMs('getUser', nowMs) > nowMs) return null;
      // A token first, then a permit for it: no slot of the pace is spent on a token that cannot be used.
      const taken = await ledger.take();
      if (taken === null) return null;
      let permit: Permit<'getUser'> | null = null;
      let flight: Flight | null = null;
      try {
        permit = await platform.requestPermit('getUser');
        if (permit === null) return null;
        flight = await ledger.send(taken);
      } finally {
        if (permit === null) await ledger.giveBack(taken);
        else if (flight === null) permit.release();
      }
      if (flight === null) continue;
      const member = memberOf(flight.id);
      if (member !== undefined) return createLease(permit, flight, member);
      // Removed meanwhile.
      release(permit, flight);
    }
  };
};
