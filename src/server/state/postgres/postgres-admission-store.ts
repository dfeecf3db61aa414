import { LRUCache } from 'lru-cache';
import { STATEMENT_MS } from '#server/deadlines.ts';
import type { MessagePool, Row } from '#server/storage/postgres/message-pool.ts';
import {
  admissionStatement,
  columnsOf,
  countersStatement,
  sweepVisitorsStatement,
} from './admission-statements.ts';
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

type PostgresAdmissionStoreDeps = ChallengeKeysDeps & {
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
    const untilMs = counters.map(({ key }) => refusedUntilMs.get(key) ?? -Infinity);
    return Math.max(0, Math.max(...untilMs) - clock.monotonicMs());
  };

  const refuse = async (counters: readonly Counter[]): Promise<LimitRefusal> => {
    const { counts } = await session.use(() => ask(() => countersStatement(counters)));
    const waits = new Map((counts as readonly Counts[] | null)?.map(([key, ...until]) => [key, until]));
    let retryAfterMs = 0;
    for (const counter of counters) {
      const until = waits.get(counter.key) ?? [];
      for (const [n, [, allowance]] of columnsOf(counter).entries()) {
        const aheadMs = (until[n] ?? 0) - session.nowMs();
        const waitMs = aheadMs + stepMs(allowance) - mostAheadMs(allowance);
        if (waitMs > 0) refusedUntilMs.set(counter.key, clock.monotonicMs() + waitMs);
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
  const decide = async (counters: readonly Counter[], row: Row): Promise<LimitDecision> => {
    if (row[`a${counters.length - 1}`] === null) return refuse(counters);
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
      const decision = await decide(counters, row);
      if (!decision.allowed) return decision;
      return row['spent'] === true ? 'accepted' : 'used';
    },
  };
};

type Counts = readonly [key: string, ...until: (number | null)[]];

type Job = {
  readonly text: () => string;
  readonly resolve: (row: Row) => void;
  readonly reject: (error: unknown) => void;
};

const MOST_AT_ONCE = 100;
/** `begin`, the limit, the statement, `commit`. */
const RESULTS_EACH = 4;

/** One message for all that wait for a connection: a round trip costs more than most statements. */
const createStatementBatch = (pool: MessagePool, connections: number) => {
  const waiting: Job[] = [];
  let busy = 0;

  const sendAll = async (jobs: readonly Job[]): Promise<void> => {
    try {
      const texts = jobs.map(
        ({ text }) =>
          `begin isolation level read committed; set local statement_timeout = ${STATEMENT_MS}; ${text()}; commit`,
      );
      const results = await pool.send(texts.join('; '));
      for (const [n, { resolve }] of jobs.entries()) resolve(results[RESULTS_EACH * n + 2]?.[0] ?? {});
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
  };
  const serve = (): void => {
    if (busy >= connections || waiting.length === 0) return;
    busy += 1;
    void sendAll(waiting.splice(0, MOST_AT_ONCE)).finally(() => {
      busy -= 1;
      serve();
    });
  };

  /** `text` is asked for when the statement leaves. */
  return (text: () => string): Promise<Row> =>
    new Promise((resolve, reject) => {
      waiting.push({ text, resolve, reject });
      serve();
    });
};
