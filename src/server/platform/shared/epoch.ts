import { RedisProblem } from '#server/storage/redis/redis-problem.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Random } from '#server/system.ts';
import type { InvalidCell } from '../invalid-request-file.ts';
import { GREET } from './gate-scripts.ts';

/** Changes whenever two versions of us would read each other's part of the store wrongly. */
const LAYOUT = 1;
const LONGEST_REST_MS = 60_000;

export type EpochDeps = {
  readonly random: Random;
  readonly store: Pick<SharedStore, 'key' | 'onSession'>;
  /** What this node has to remember for a store that forgot. */
  readonly invalidCells: () => readonly InvalidCell[];
};

/** Another epoch began, or this node came late to one: what is this node's must be in the store again. */
export type EpochListener = (session: Session) => Promise<void>;

/**
 * The time in which one process of the engine has forgotten nothing. Everything that is granted names the epoch it
 * believes in, and a script that knows another grants nothing.
 */
export const createEpoch = ({ random, store, invalidCells }: EpochDeps) => {
  const listeners: EpochListener[] = [];
  let known = '';
  let learnedMs = 0;
  let greeting: { readonly session: Session; readonly done: Promise<void> } | null = null;

  const cellWords = (): (string | number)[] =>
    invalidCells().flatMap(({ startWallMs, count }) => [startWallMs.toFixed(3), count]);

  const greet = async (session: Session, clockLeapt: boolean): Promise<void> => {
    const restMs = Math.min(learnedMs || LONGEST_REST_MS, LONGEST_REST_MS);
    const name = random.bytes(8).toString('hex');
    const reply = await session.call(
      GREET,
      [store.key('{t}gate'), store.key('{t}invalid'), store.key('{t}layout')],
      [session.runId, known, restMs, name, LAYOUT, clockLeapt ? 1 : 0, ...cellWords()],
    );
    const [word, epoch] = reply as readonly string[];
    if (word !== 'greeted') throw otherLayout();
    known = epoch ?? '';
    for (const listen of listeners) await listen(session);
  };

  store.onSession((session, { clockLeapt }) => greet(session, clockLeapt));

  return {
    current: () => known,
    /** Some token's limit takes so long to be whole again. */
    learned: (periodMs: number): void => {
      learnedMs = Math.max(learnedMs, periodMs);
    },
    onJoined: (listener: EpochListener): void => void listeners.push(listener),
    /** The store does not know the epoch that we know. */
    rejoin: (session: Session): Promise<void> => {
      if (greeting?.session === session) return greeting.done;
      const done = greet(session, false).finally(() => {
        greeting = null;
      });
      greeting = { session, done };
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
