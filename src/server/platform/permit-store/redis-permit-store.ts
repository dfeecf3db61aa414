import type { InBackground } from '#server/storage/redis/in-background.ts';
import { PERMIT_MS, STORE_POLL_MS } from '#server/deadlines.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock, Random } from '#server/system.ts';
import { EGRESS_LATE_MS, egressIntervalMs, SHARED_EGRESS_JITTER_MS } from '../egress-rules.ts';
import type { Question } from '../questions.ts';
import { createEpoch, type Epoch } from './epoch.ts';
import {
  PERMIT_KEYS,
  READ_STANDING,
  SETTLE_PERMIT,
  TAKE_PERMIT,
  type PermitRefusal,
} from './permit-scripts.ts';
import type { Grant, PermitStore, StandingPause } from './permit-store.ts';
import type { Standing } from './standing.ts';

export type RedisPermitStoreDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Pick<SharedStore, 'key' | 'onSession' | 'session' | 'everySecond'>;
  readonly inBackground: InBackground;
  readonly standing: Standing;
  readonly perSecond: number;
};

type Refusal = { readonly why: PermitRefusal | 'stale-epoch'; readonly epoch: string; readonly atMs: number };

/** Refusals for reasons other than the pace. */
const CAUSES: Readonly<Partial<Record<Refusal['why'], StandingPause['cause']>>> = {
  ban: 'banned',
  probe: 'banned',
  invalid: 'invalid-requests',
};

/** The permits of all nodes together. */
export const createRedisPermitStore = (
  deps: RedisPermitStoreDeps,
): PermitStore & { readonly epoch: Epoch } => {
  const { clock, random, store, inBackground, standing, perSecond } = deps;
  const node = random.bytes(8).toString('hex');
  const epoch = createEpoch({ clock, random, store, standing, node });
  const keys = {
    gate: store.key(PERMIT_KEYS.gate),
    flights: store.key(PERMIT_KEYS.flights),
    invalid: store.key(PERMIT_KEYS.invalid),
  };
  const intervalMs = egressIntervalMs(perSecond, SHARED_EGRESS_JITTER_MS);
  const refusals = new Map<Question, Refusal>();
  /** What the platform told this node, before a restart too, whether or not the store could be told: until when. */
  const ownBans = standing.catchUp().bans;
  let flights = 0;
  let unreportedInvalid: readonly string[] = [];
  let shared = { invalid: 0, bannedUntilMs: -Infinity };

  const refuse = (question: Question, why: Refusal['why'], waitMs: number): null => {
    refusals.set(question, { why, epoch: epoch.current(), atMs: clock.monotonicMs() + waitMs });
    return null;
  };
  /** What the store said ends with its epoch. */
  const refusalOf = (question: Question): Refusal | undefined => {
    const refusal = refusals.get(question);
    return refusal?.epoch === epoch.current() ? refusal : undefined;
  };
  const ownBanMs = (question: Question): number => ownBans.get(question) ?? -Infinity;

  const reportSettled = async (
    { question, flight }: Grant,
    { banMs, isAnswered }: { banMs: number | null; isAnswered: boolean },
  ): Promise<void> => {
    const reported = unreportedInvalid;
    unreportedInvalid = [];
    try {
      await store.session().run(SETTLE_PERMIT, {
        keys,
        args: { question, flight, banMs: banMs ?? '', isAnswered: isAnswered ? 1 : 0 },
        moreArgs: reported,
      });
    } catch (error) {
      unreportedInvalid = [...reported, ...unreportedInvalid];
      throw error;
    }
  };

  store.everySecond(async (session) => {
    const read = await session.run(READ_STANDING, { keys, args: {} });
    shared = { invalid: read.invalid, bannedUntilMs: clock.monotonicMs() + read.banMs };
    if (read.epoch !== epoch.current()) await epoch.rejoin(session);
  });

  return {
    epoch,
    take: async (question) => {
      const askedMs = clock.monotonicMs();
      const session = store.session();
      flights += 1;
      const flight = `${node}:${flights}`;
      const reply = await session.run(TAKE_PERMIT, {
        keys,
        args: {
          epoch: epoch.current(),
          question,
          intervalMs,
          lateMs: EGRESS_LATE_MS,
          limit: standing.limit,
          flight,
        },
      });
      if (reply.kind === 'granted')
        return { question, flight, isProbe: reply.isProbe, expiresAtMs: askedMs + PERMIT_MS };
      if (reply.kind === 'refused') return refuse(question, reply.why, reply.waitMs ?? STORE_POLL_MS);
      await epoch.rejoin(session);
      return refuse(question, reply.kind, STORE_POLL_MS);
    },
    /** In the background: a visitor does not wait for it. The store forgets a flight by itself. */
    settle: (grant, { isInvalid, ...settlement }) => {
      if (isInvalid) unreportedInvalid = [...unreportedInvalid, grant.flight];
      if (settlement.banMs !== null) ownBans.set(grant.question, clock.monotonicMs() + settlement.banMs);
      inBackground(() => reportSettled(grant, settlement));
    },
    freeAtMs: (question) => {
      const ofLookups = refusalOf('getUser');
      const bannedUntilMs = ofLookups?.why === 'ban' ? ofLookups.atMs : -Infinity;
      const refusedUntilMs = refusalOf(question)?.atMs ?? -Infinity;
      return Math.max(bannedUntilMs, refusedUntilMs, ownBanMs('getUser'), ownBanMs(question));
    },
    pause: (nowMs, question = 'getUser') => {
      const banMs = Math.max(shared.bannedUntilMs, ownBanMs('getUser'), ownBanMs(question));
      if (banMs > nowMs) return { cause: 'banned', untilMs: banMs };
      const { why = 'pace', atMs = -Infinity } = refusalOf(question) ?? {};
      const cause = CAUSES[why];
      if (cause === undefined || atMs <= nowMs) return null;
      return { cause, untilMs: why === 'probe' ? Infinity : atMs };
    },
    invalidRequests: () => Math.max(standing.count(), shared.invalid),
  };
};
