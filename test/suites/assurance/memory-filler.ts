// Run by the suite on little memory, in a process of its own with a small heap.
import { hash } from 'node:crypto';
import { createProfileCache } from '#server/lookup/profile-cache.ts';
import { createMemorySpentProofs } from '#server/admission/spent-proofs.ts';
import { createMemoryVisitorCounters } from '#server/visitors/visitor-counters.ts';
import { realSystem } from '#server/system.ts';
import { createDailySecret } from '#server/visitors/daily-secret.ts';
import { createVisitorLimits, visitorAllowances } from '#server/visitors/visitor-limits.ts';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';

export type Filled = { readonly refusedProofs: number; readonly cached: number; readonly rssMiB: number };

const COUNT = 1_000_000;
const TTL_MS = 300_000;

const system = realSystem;
const counters = createMemoryVisitorCounters(system);
const spentProofs = createMemorySpentProofs({ system, counters });
const key = spentProofs.signingKey();
const cache = createProfileCache({ clock: system.clock, ttlMs: TTL_MS });
const rates = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };
const visitors = createVisitorLimits({
  dailySecret: createDailySecret(system),
  allowances: visitorAllowances(rates),
});
let refusedProofs = 0;
for (let n = 0; n < COUNT; n += 1) {
  const proof = { challengeId: hash('sha256', `challenge ${n}`), ttlMs: TTL_MS, key };
  if ((await spentProofs.spend(proof, [])) === 'unavailable') refusedProofs += 1;
  counters.take(visitors.eventsOf('lookup', `${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}.1`));
  cache.set(String(200_000_000_000_000_000n + BigInt(n)) as Snowflake, { username: `user ${n}` } as Profile);
}
const filled: Filled = { refusedProofs, cached: cache.size(), rssMiB: process.memoryUsage().rss / 2 ** 20 };
process.stdout.write(JSON.stringify(filled));
