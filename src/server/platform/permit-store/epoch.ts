import { RedisProblem } from '#server/storage/redis/redis-problem.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Random } from '#server/system.ts';
import { CELL_MS, COUNTED_MS, type InvalidRequests } from '../invalid-requests.ts';
import { HANDSHAKE, PERMIT_KEYS } from './permit-scripts.ts';

/** Changes whenever two versions of us would misread each other's part of the store. */
const LAYOUT = 2;
const LONGEST_REST_MS = 60_000;

export type EpochDeps = {
  readonly random: Random;
  readonly store: Pick<SharedStore, 'key' | 'onSession'>;
  readonly invalidRequests: Pick<InvalidRequests, 'cells'>;
  /** The name of this node in the store. */
  readonly node: string;
};

/** Another epoch began, or this node is late to one: what is this node's must be put into the store again. */
export type EpochListener = (session: Session) => Promise<void>;

/**
 * The time in which one Redis process has forgotten nothing. Every script compares the epoch that the node knows with the
 * store's, and grants nothing if they differ.
 */
export const createEpoch = ({ random, store, invalidRequests, node }: EpochDeps) => {
  const listeners: EpochListener[] = [];
  let known = '';
  let refillMs = 0;
  let rejoining: { readonly session: Session; readonly done: Promise<void> } | null = null;

  /** Each answer has a name of its own, so a second handshake does not count it twice. */
  const invalidAnswers = (): string[] =>
    invalidRequests
      .cells()
      .flatMap(({ startWallMs, count }) =>
        Array.from({ length: count }, (_, n) => [
          (startWallMs + COUNTED_MS).toFixed(3),
          `${node}:${Math.round(startWallMs / CELL_MS)}:${n}`,
        ]).flat(),
      );

  const handshake = async (session: Session, clockLeapt: boolean): Promise<void> => {
    const joined = await session.run(HANDSHAKE, {
      keys: {
        gate: store.key(PERMIT_KEYS.gate),
        invalid: store.key(PERMIT_KEYS.invalid),
        layoutKey: store.key('{t}layout'),
      },
      args: {
        runId: session.runId,
        knownEpoch: known,
        restMs: Math.min(refillMs || LONGEST_REST_MS, LONGEST_REST_MS),
        newName: random.bytes(8).toString('hex'),
        layout: LAYOUT,
        clockLeapt: clockLeapt ? 1 : 0,
      },
      moreArgs: invalidAnswers(),
    });
    if (joined === null) throw otherLayout();
    known = joined.epoch;
    for (const listen of listeners) await listen(session);
  };

  store.onSession((session, { clockLeapt }) => handshake(session, clockLeapt));

  return {
    current: () => known,
    /** A token's limit takes this long to refill; after a loss all nodes rest for the longest that was learned. */
    learnRefill: (periodMs: number): void => {
      refillMs = Math.max(refillMs, periodMs);
    },
    onJoined: (listener: EpochListener): void => void listeners.push(listener),
    /** The store does not know the epoch that we know. */
    rejoin: (session: Session): Promise<void> => {
      if (rejoining?.session === session) return rejoining.done;
      const done = handshake(session, false).finally(() => {
        rejoining = null;
      });
      rejoining = { session, done };
      return done;
    },
  };
};

export type Epoch = ReturnType<typeof createEpoch>;

const otherLayout = (): RedisProblem =>
  new RedisProblem(
    'The shared store is in use by a version of Whoflake that keeps its tokens differently',
    'stop all nodes, restart Redis or Valkey (nothing in it has to last), and start them with the same version.',
  );
