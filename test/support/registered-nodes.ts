import { createNodeRegister } from '#server/nodes/node-register.ts';
import { createNodeStore } from '#server/nodes/node-store.ts';
import { createStoreAgreement } from '#server/nodes/store-agreement.ts';
import { secondsAgo } from '#server/storage/sql-dialect.ts';
import { useDialects } from './databases.ts';
import { createFakeSessions } from './fake-sessions.ts';
import { createFakeSystem } from './fake-system.ts';
import { storeAddress } from './shared-store.ts';

let seed = 0;

/** A new database for servers of a test to be registered in. */
export const createRegisteredNodes = async () => {
  const postgres = useDialects().find(({ name }) => name === 'PostgreSQL');
  const databases = await postgres?.create();
  if (databases === undefined) throw new TypeError('There is no PostgreSQL.');
  const { database } = await databases.open();
  return {
    database,
    live: () => createNodeStore(database).live(),
    /** Sets when it was last seen: long enough ago to count as gone or, if negative, before the clock was set back. */
    silence: (name: string, seconds = 11) =>
      database
        .updateTable('node')
        .set({ seen_at: secondsAgo(seconds) })
        .where('name', '=', name)
        .execute(),
    /** A server by that name, and what happens to it while it waits. */
    node: (
      name: string,
      shared: boolean,
      pause: () => Promise<unknown> = async () => {},
      runId = 'store',
    ) => {
      seed += 1;
      const system = createFakeSystem({ seed });
      const sessions = createFakeSessions();
      const seen = { rivals: 0, failures: 0 };
      const register = createNodeRegister({
        system,
        database,
        self: { name, shared, version: '1' },
        agreement: shared
          ? createStoreAgreement({ name, address: storeAddress('redis://s.test'), store: sessions.store })
          : null,
        keysInFile: () => ['k1', 'k2'],
        pause: async () => void (await pause()),
        onFailure: () => void (seen.failures += 1),
        onRival: () => void (seen.rivals += 1),
      });
      return {
        ...register,
        /** As a server starts. */
        start: async () => {
          await register.join();
          await sessions.connect(runId);
          await register.agreeOnStore();
        },
        /** Time for its row to be renewed, and for what it learned by that. */
        beat: async () => {
          await system.advance(2_000);
          await sessions.beat();
        },
        seen,
        system,
        sessions,
      };
    },
    [Symbol.asyncDispose]: databases[Symbol.asyncDispose],
  };
};
