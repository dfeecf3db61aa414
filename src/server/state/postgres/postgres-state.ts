import { CONNECTIONS } from '#server/storage/sql-dialect.ts';
import { createMessagePool } from '#server/storage/postgres/message-pool.ts';
import { createPostgresSession } from './session.ts';
import { createPostgresPlatformStore } from './postgres-platform-store.ts';
import { createPostgresTokenStore } from './postgres-token-store.ts';
import type { OpenState } from '../state.ts';

export const openPostgresState =
  (url: string, home: string): OpenState =>
  ({ system, perSecond, events, isCurrent = () => true }) => {
    const session = createPostgresSession({
      clock: system.clock,
      pool: createMessagePool(url, CONNECTIONS.leases),
      events,
    });
    const proofPool = createMessagePool(url, CONNECTIONS.proofs);
    return {
      platform: createPostgresPlatformStore(session, perSecond),
      tokens: createPostgresTokenStore(system, session, isCurrent),
      shared: { session, home, proofPool },
      problem: session.problem,
      start: session.start,
      close: async () => {
        await session.close();
        await proofPool.end();
      },
    };
  };
