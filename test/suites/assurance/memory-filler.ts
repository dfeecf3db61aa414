// Run by the suite on little memory, in a process of its own with a small heap.
import { hash } from 'node:crypto';
import { createProfileCache } from '#server/lookup/lookup.ts';
import { createMemoryAdmissionStore } from '#server/state/memory-admission-store.ts';
import { realSystem } from '#server/system.ts';
import { createVisitorLimits } from '#server/visitors/visitor-limits.ts';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';

export type Filled = { readonly refusedProofs: number; readonly cached: number; readonly rssMiB: number };

const COUNT = 1_000_000;
const TTL_MS = 300_000;

const system = realSystem;
const store = createMemoryAdmissionStore({ system });
const keyId = store.issuingKey(system.clock.wallMs() + TTL_MS)?.id ?? '';
const cache = createProfileCache({ clock: system.clock, ttlMs: TTL_MS });
const rates = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };
const visitors = createVisitorLimits({
  dailySecret: () => 'secret',
  rates: rates,
});
let refusedProofs = 0;
for (let n = 0; n < COUNT; n += 1) {
  const proof = { challengeId: hash('sha256', `challenge ${n}`), keyId };
  if ((await store.redeem([], proof)) === 'unavailable') refusedProofs += 1;
  const address = `${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}.1`;
  await store.count(visitors.visitOf('lookup', address).counters);
  cache.set(String(200_000_000_000_000_000n + BigInt(n)) as Snowflake, { username: `user ${n}` } as Profile);
}
const filled: Filled = { refusedProofs, cached: cache.size(), rssMiB: process.memoryUsage().rss / 2 ** 20 };
process.stdout.write(JSON.stringify(filled));
