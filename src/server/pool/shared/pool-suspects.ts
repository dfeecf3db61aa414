import type { PassFor } from '#server/platform/platform.ts';
import { FLIGHT_MS } from '#server/platform/shared/gate-scripts.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SuspectVerdict } from '../suspicion.ts';
import { budgetFreeAt } from '../token-budget.ts';
import type { PoolContext, SharedToken } from './pool-context.ts';
import { END_TRIAL, TRY_SUSPECT } from './pool-scripts.ts';
import { createSharedSuspicion } from './shared-suspicion.ts';
import type { Flight } from './token-ledger.ts';
import { decodeTokenRecord } from './token-record.ts';

/** Tokens that no node uses until the platform was asked about them: by one node, one token at a time. */
export const createPoolSuspects = (context: PoolContext) => {
  const { store, platform, known, picture, keys, poolKeys } = context;
  const suspicion = createSharedSuspicion(keys);

  return {
    doubt: async (session: Session, { epoch }: Flight, nowMs: number): Promise<void> => {
      await suspicion.doubt(session, epoch, nowMs);
      await picture.look(session);
    },
    take: async (): Promise<PassFor<'getOwnUser', SharedToken> | null> => {
      const knock = { script: TRY_SUSPECT, keys: poolKeys, args: known.strange() };
      const answer = await platform.knock('getOwnUser', knock);
      if ('refused' in answer) {
        if (answer.refused.why === 'trial') picture.postponeTrial(answer.refused.atMs);
        return null;
      }
      const { pass, session, epoch, grantedMs, words } = answer.granted;
      const flight = { id: String(words[0]), epoch, grantedMs, record: String(words[1]) };
      const entry = known.byId(flight.id);
      if (entry !== undefined) return { pass, chosen: { token: entry.token, flight } };
      known.meet(flight.id);
      pass.release();
      await session.call(END_TRIAL, keys, [epoch, String(words[2])]);
      return null;
    },
    /** True if the token is gone for good. */
    settle: async ({ flight }: SharedToken, verdict: SuspectVerdict): Promise<boolean> => {
      const { id, epoch, record } = flight;
      const nowMs = store.storeNowMs();
      const { budget } = decodeTokenRecord(record, nowMs - FLIGHT_MS);
      const freeAt = budgetFreeAt(budget, nowMs);
      const freeAtMs = freeAt === Infinity ? nowMs : Math.max(nowMs, freeAt);
      const wasThere = await suspicion.judge(store.session(), { epoch, nowMs }, { id, verdict, freeAtMs });
      await context.look();
      return wasThere && verdict === 'dead';
    },
  };
};
