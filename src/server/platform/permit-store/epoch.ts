import { RedisProblem } from '#server/storage/redis/redis-problem.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import { LAYOUT_KEY } from '#server/storage/redis/site-claim.ts';
import type { Clock, Random } from '#server/system.ts';
import { CELL_MS, COUNTED_MS } from '../invalid-requests.ts';
import { HANDSHAKE, LONGEST_REST_MS, PERMIT_KEYS } from './permit-scripts.ts';
import type { Standing } from './standing.ts';

/** Changes whenever two versions of us would misread each other's part of the store. */
const LAYOUT = 2;

export type EpochDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Pick<SharedStore, 'key' | 'onSession'>;
  readonly standing: Pick<Standing, 'cells'>;
  /** The name of this node in the store. */
  readonly node: string;
};

/** Keys that end with the epoch, and what type each must have. */
export type EpochKeys = Readonly<Record<string, 'hash' | 'zset'>>;

/** A new epoch has begun, or this node joins late: its own data must be put into the store again. */
export type EpochListener = (session: Session) => Promise<void>;

/**
 * The time in which one Redis process has forgotten nothing and its clock has not leapt. Every script compares the epoch
 * that the node knows with the store's, and grants nothing if they differ.
 */
export const createEpoch = ({ clock, random, store, standing, node }: EpochDeps) => {
  const listeners: EpochListener[] = [];
  const keys = new Map(
    Object.entries({
      [store.key(PERMIT_KEYS.gate)]: 'hash',
      [store.key(PERMIT_KEYS.flights)]: 'zset',
      [store.key(PERMIT_KEYS.invalid)]: 'zset',
    } satisfies EpochKeys),
  );
  let known = '';
  let refillMs = 0;
  let rejoining: { readonly session: Session; readonly done: Promise<void> } | null = null;

  /** Each answer has a name of its own, so a second handshake does not count it twice. */
  const invalidAnswers = (): string[] =>
    standing
      .cells()
      .flatMap(({ startWallMs, count }) =>
        Array.from({ length: count }, (_, n) => [
          (startWallMs + COUNTED_MS - clock.wallMs()).toFixed(3),
          `${node}:${Math.round(startWallMs / CELL_MS)}:${n}`,
        ]).flat(),
      );

  const handshake = async (session: Session, isVoid: boolean): Promise<void> => {
    const joined = await session.run(HANDSHAKE, {
      keys: {
        gate: store.key(PERMIT_KEYS.gate),
        invalid: store.key(PERMIT_KEYS.invalid),
        layoutKey: store.key(LAYOUT_KEY),
      },
      args: {
        runId: session.runId,
        knownEpoch: known,
        restMs: Math.min(refillMs || LONGEST_REST_MS, LONGEST_REST_MS),
        newName: random.bytes(8).toString('hex'),
        layout: LAYOUT,
        isVoid: isVoid ? 1 : 0,
        types: [...keys.values()].join(' '),
      },
      moreKeys: [...keys.keys()],
      moreArgs: invalidAnswers(),
    });
    if (joined === null) throw otherLayout();
    known = joined.epoch;
    for (const listen of listeners) await listen(session);
  };

  /** Once, however many find out at the same time. */
  const handshakeAgain = (session: Session, isVoid: boolean): Promise<void> => {
    if (rejoining?.session === session) return rejoining.done;
    const done = handshake(session, isVoid).finally(() => {
      rejoining = null;
    });
    rejoining = { session, done };
    return done;
  };

  store.onSession((session, { clockLeapt }) => handshake(session, clockLeapt));

  return {
    current: () => known,
    /** A token's limit takes this long to refill; after a loss all nodes rest for the longest that was learned. */
    learnRefill: (periodMs: number): void => {
      refillMs = Math.max(refillMs, periodMs);
    },
    onJoined: (listener: EpochListener): void => void listeners.push(listener),
    /** To be called before the first session. */
    covers: (more: EpochKeys): void => {
      for (const [key, type] of Object.entries(more)) keys.set(key, type);
    },
    /** The store has a different epoch from ours. */
    rejoin: (session: Session): Promise<void> => handshakeAgain(session, false),
    /** The store has lost a part of what it knew. */
    end: (session: Session): Promise<void> => handshakeAgain(session, true),
  };
};

export type Epoch = ReturnType<typeof createEpoch>;

/** `found`: what is under `LAYOUT_KEY`. */
export const refuseOtherLayout = (found: unknown): void => {
  if (found !== null && found !== String(LAYOUT)) throw otherLayout();
};

const otherLayout = (): RedisProblem =>
  new RedisProblem(
    'The shared store is in use by a version of Whoflake that keeps its tokens differently',
    'stop all nodes, restart Redis or Valkey (nothing in it has to last), and start them with the same version.',
  );
