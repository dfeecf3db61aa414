import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import { exclusively } from '#server/storage/sql-dialect.ts';
import type { System } from '#server/system.ts';
import { createNodeStore, type LiveNode } from './node-store.ts';
import { NO_STORE, type StoreAgreement } from './store-agreement.ts';

export type NodeRegisterDeps = {
  readonly system: System;
  readonly database: Database;
  /** This server's row, as the others see it. */
  readonly self: Pick<LiveNode, 'name' | 'shared' | 'version'>;
  /** Null without a shared store. */
  readonly agreement: StoreAgreement | null;
  readonly keysInFile: () => readonly string[];
  readonly pause: (ms: number) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly onRival: () => void;
};

/** Keeps servers from running side by side unaware of each other: with PostgreSQL there is no folder to lock. */
export type NodeRegister = {
  /** Resolves once this server is on the list; rejects if one is running that it may not run beside. */
  readonly join: () => Promise<void>;
  /** Resolves once no other node uses a different shared store; rejects if one keeps doing so. */
  readonly agreeOnStore: () => Promise<void>;
  /** True if it was thought to be gone, and another has taken its place. */
  readonly isReplaced: () => boolean;
  readonly leave: () => Promise<void>;
};

const RENEW_MS = 2_000;
const LOOK_AGAIN_MS = 1_000;

export const createNodeRegister = (deps: NodeRegisterDeps): NodeRegister => {
  const { system, database, self, agreement, keysInFile, pause, onFailure, onRival } = deps;
  const id = system.random.uuid();
  let cancel = (): void => {};
  let replaced = false;
  let left = false;
  let hasAgreed = false;

  const changingColumns = () => ({
    id,
    kids: keysInFile().join(' '),
    ...(hasAgreed && agreement !== null ? agreement.columns() : NO_STORE),
  });
  const row = () => ({ ...self, ...changingColumns() });
  /** The rivals that kept it off the list. */
  const enlist = (): Promise<readonly LiveNode[]> =>
    exclusively(database, async (step) => {
      const store = createNodeStore(step);
      const rivals = (await store.live()).filter(
        (other) => other.id !== id && !(other.shared && self.shared),
      );
      if (rivals.length === 0 && !left) await store.put(row());
      return rivals;
    });

  /** In turn, so that of two that start at once the second sees which store the first one uses. */
  const agree = ({ compare }: StoreAgreement): Promise<boolean> =>
    exclusively(database, async (step) => {
      const store = createNodeStore(step);
      hasAgreed = compare(await store.live());
      if (hasAgreed && !left) await store.put(row());
      return hasAgreed;
    });

  const renew = async (): Promise<void> => {
    const store = createNodeStore(database);
    if (await store.renew(changingColumns())) {
      if (hasAgreed) agreement?.compare(await store.live());
      return;
    }
    const wasReplaced = replaced;
    replaced = (await enlist()).length > 0;
    if (replaced && !wasReplaced) onRival();
  };
  const next = (): void => {
    if (left) return;
    cancel = system.clock.after(RENEW_MS, () => {
      renew().catch(onFailure).finally(next);
    });
  };

  return {
    join: async () => {
      let before: readonly LiveNode[] = [];
      for (let rivals = await enlist(); rivals.length > 0; rivals = await enlist()) {
        // A server that was killed stays on the list for a while; one that runs keeps renewing its row.
        const alive = rivals.find(({ id: rival, seen }) =>
          before.some((was) => was.id === rival && was.seen !== seen),
        );
        if (alive !== undefined) throw refusal(alive, self.shared);
        before = rivals;
        await pause(LOOK_AGAIN_MS);
      }
      next();
    },
    agreeOnStore: async () => {
      if (agreement === null) return;
      while (!(await agree(agreement))) {
        await agreement.refuse();
        await pause(LOOK_AGAIN_MS);
      }
    },
    isReplaced: () => replaced,
    leave: async () => {
      left = true;
      cancel();
      // In turn with `enlist`, which may be in flight and would put the row back.
      await exclusively(database, (step) => createNodeStore(step).remove(id)).catch(onFailure);
    },
  };
};

const refusal = ({ name }: LiveNode, isShared: boolean): OperatorError =>
  isShared
    ? new OperatorError(
        EXIT.serverRunning,
        `A server without SHARED_STATE_URL is running on these records (${name})`,
        'stop it, set SHARED_STATE_URL for it too, then start both.',
      )
    : new OperatorError(
        EXIT.serverRunning,
        `Another server is running on these records (${name})`,
        'set SHARED_STATE_URL for both, or stop the other one.',
      );
