import { pino } from 'pino';
import { createLookup } from '#server/lookup/lookup.ts';
import { createEvents } from '#server/observability/events.ts';
import { sleep } from '#server/system.ts';
import { createAdmission } from '#server/visitors/admission.ts';
import { createVisitorLimits } from '#server/visitors/limits.ts';
import { createSpentProofs } from '#server/visitors/captcha.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';
import { composeSnowflake } from '#shared/snowflake.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import type { FakeSystem } from '#test/support/fake-system.ts';
import { createLimitedClient } from '#test/support/limited-client.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';

const CAPACITY = 50;
const RATES = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };
const MAX_NUMBER = 15;
/** Puzzles are small and solved for real; time passes as if they were of the default difficulty. */
const HASHES_PER_NUMBER = 1_000_000 / MAX_NUMBER;

const createPool = (system: FakeSystem) => {
  const limits = { mode: 'sliding', limit: 30, periodMs: 30_000, globalPerSecond: CAPACITY } as const;
  const client = createLimitedClient({ system, limits, delayMs: (draw) => 20 + 60 * draw });
  const { pool } = createTestPool({ system, client, perSecond: CAPACITY });
  for (let n = 0; n < 2 * CAPACITY; n += 1) pool.add(botToken(`${n}`));
  return pool;
};

/** Everything between a visitor and the platform, as the app wires it, with its default limits, in simulated time. */
export const startAttackedSite = (system: FakeSystem) => {
  const { clock } = system;
  const pool = createPool(system);
  const events = createEvents(pino({ enabled: false }));
  const { issueChallenge, redeem } = createAdmission({
    system,
    proofs: createSpentProofs(system),
    maxNumber: MAX_NUMBER,
    visitors: createVisitorLimits(system, RATES),
    scarcity: pool.scarcity,
    events,
  });
  const { lookUpProfile } = createLookup({
    system,
    pool,
    cdn: createCdnUrls('https://cdn.example'),
    isOptedOut: () => false,
    events,
  });
  let lookups = 0;
  return {
    /** Takes as long as a device with this many hashes a second. */
    solve: async (address: string, hashesPerSecond: number): Promise<string> => {
      const proof = solveChallenge(issueChallenge(address));
      await sleep(clock, ((proof.number + 0.5) * HASHES_PER_NUMBER * 1_000) / hashesPerSecond);
      return encodeProof(proof);
    },
    /** Of somebody else each time: nothing is cached. */
    lookUp: async (address: string, proof: string): Promise<void> => {
      const ticket = await redeem(proof, 'lookup', address);
      lookups += 1;
      await lookUpProfile(
        composeSnowflake(Date.UTC(2020) + lookups, 0),
        ticket,
        () => new AbortController().signal,
      );
    },
  };
};
