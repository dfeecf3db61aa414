import { CONNECTIONS } from '#server/storage/postgres/connections.ts';
import { createMessagePool } from '#server/storage/postgres/message-pool.ts';
import { createPostgresAdmissionStore } from './postgres-admission-store.ts';
import { createPostgresSession } from './session.ts';
import { createPostgresPlatformStore } from './postgres-platform-store.ts';
import { createPostgresTokenStore } from './postgres-token-store.ts';
import type { OpenState } from '../state.ts';

export const openPostgresState =
  (url: string, home: string): OpenState =>
  ({ system, perSecond, events }) => {
    const session = createPostgresSession({
      clock: system.clock,
      pool: createMessagePool(url, CONNECTIONS.leases),
      events,
    });
    const { admissions: connections } = CONNECTIONS;
    const pool = createMessagePool(url, connections);
    return {
      platform: createPostgresPlatformStore(session, perSecond),
      tokens: createPostgresTokenStore(system, session),
      openAdmissions: () => createPostgresAdmissionStore({ system, session, home, pool, connections }),
      problem: session.problem,
      siteNowMs: session.nowMs,
      start: session.start,
      close: async () => {
        await session.close();
        await pool.end();
      },
    };
  };
