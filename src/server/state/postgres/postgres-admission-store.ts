import { LRUCache } from 'lru-cache';
import type { MessagePool, Row } from '#server/storage/postgres/message-pool.ts';
import { admissionStatement, columnsOf, sweepVisitorsStatement } from './admission-statements.ts';
import {
  mostAheadMs,
  stepMs,
  type AdmissionStore,
  type Counter,
  type LimitDecision,
  type LimitRefusal,
  type SignedProof,
} from '../admission-store.ts';
import { createChallengeKeys, type ChallengeKeysDeps } from './challenge-keys.ts';
import { createStatementBatch } from './statement-batch.ts';

export type PostgresAdmissionStoreDeps = ChallengeKeysDeps & {
  readonly pool: MessagePool;
  readonly connections: number;
};

/** Visitors that were turned away: they are not counted again before it is time, so a flood costs PostgreSQL little. */
const REFUSALS_KEPT = 20_000;
const SOON_MS = 1_000;

export const createPostgresAdmissionStore = (deps: PostgresAdmissionStoreDeps): AdmissionStore => {
  const { system, session, pool, connections } = deps;
  const { clock } = system;
  const keys = createChallengeKeys(deps);
  const ask = createStatementBatch(pool, connections);
  const refusedUntilMs = new LRUCache<string, number>({ max: REFUSALS_KEPT });
  session.onSweep(async () => void (await session.run([sweepVisitorsStatement(session.nowMs())])));

  const knownWaitMs = (counters: readonly Counter[]): number => {
    if (refusedUntilMs.size === 0) return 0;
    const untilMs = counters.map(({ key }) => refusedUntilMs.get(key.toString('latin1')) ?? -Infinity);
    return Math.max(0, Math.max(...untilMs) - clock.monotonicMs());
  };

  const refuse = (counters: readonly Counter[], { counts }: Row): LimitRefusal => {
    const waits = new Map((counts as readonly Counts[] | null)?.map(([key, ...until]) => [key, until]));
    let retryAfterMs = 0;
    for (const counter of counters) {
      const until = waits.get(counter.key.toString('hex')) ?? [];
      for (const [n, [, allowance]] of columnsOf(counter).entries()) {
        const aheadMs = (until[n] ?? 0) - session.nowMs();
        const waitMs = aheadMs + stepMs(allowance) - mostAheadMs(allowance);
        if (waitMs > 0) refusedUntilMs.set(counter.key.toString('latin1'), clock.monotonicMs() + waitMs);
        retryAfterMs = Math.max(retryAfterMs, waitMs);
      }
    }
    return { allowed: false, retryAfterMs: retryAfterMs > 0 ? retryAfterMs : SOON_MS };
  };

  const admit = async (counters: readonly Counter[], proof?: SignedProof): Promise<Row> => {
    const attempt = () =>
      session.use(() =>
        ask(() => admissionStatement({ counters, proof, nowMs: session.nowMs(), timely: session.timely() })),
      );
    const row = await attempt();
    if (row['timely'] === true) return row;
    // PostgreSQL's clock has jumped, or the statement came late and did nothing.
    await session.beat();
    return attempt();
  };
  const decide = (counters: readonly Counter[], row: Row): LimitDecision => {
    if (row[`a${counters.length - 1}`] === null) return refuse(counters, row);
    const nowMs = session.nowMs();
    const pressures = counters.flatMap((counter, n) =>
      columnsOf(counter).map(
        ([column, allowance]) => (Number(row[`${column}${n}`]) - nowMs) / mostAheadMs(allowance),
      ),
    );
    return { allowed: true, pressure: Math.min(1, Math.max(0, ...pressures)) };
  };

  return {
    issuingKey: keys.keyOf,
    keyOf: keys.keyOf,
    knownWaitMs,
    count: async (counters) => {
      const waitMs = knownWaitMs(counters);
      if (waitMs > 0) return { allowed: false, retryAfterMs: waitMs };
      return decide(counters, await admit(counters));
    },
    redeem: async (counters, proof) => {
      if (keys.isFull()) return 'unavailable';
      const row = await admit(counters, proof);
      if (row['known'] !== true) {
        // The keys are others by now.
        void session.beat();
        return 'invalid';
      }
      if (row['used'] === true) return 'used';
      const decision = decide(counters, row);
      if (!decision.allowed) return decision;
      return row['spent'] === true ? 'accepted' : 'used';
    },
  };
};

type Counts = readonly [key: string, ...until: (number | null)[]];
