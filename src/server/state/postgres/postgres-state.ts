import { CONNECTIONS } from '#server/storage/postgres/connections.ts';
import { createMessagePool } from '#server/storage/postgres/message-pool.ts';
import { createPostgresSession } from './session.ts';
import { openPostgresTokenStore } from './postgres-token-store.ts';
import type { OpenState } from '../state.ts';

export const openPostgresState =
  (url: string, home: string): OpenState =>
  ({ system, perSecond, events }) => {
    const session = createPostgresSession({
      clock: system.clock,
      pool: createMessagePool(url, CONNECTIONS.leases),
      events,
    });
    const proofPool = createMessagePool(url, CONNECTIONS.proofs);
    return {
      openTokens: openPostgresTokenStore({ system, session, perSecond }),
      shared: { session, home, proofPool },
      problem: session.problem,
      start: session.start,
      close: async () => {
        await session.close();
        await proofPool.end();
      },
    };
  };
