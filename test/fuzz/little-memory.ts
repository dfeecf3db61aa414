import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { createProfileCache } from '#server/lookup/lookup.ts';
import { createMemoryAdmissionStore } from '#server/state/memory-admission-store.ts';
import { realSystem as system } from '#server/system.ts';
import { createVisitorLimits } from '#server/visitors/visitor-limits.ts';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTally, type FuzzResult } from './tally.ts';

type Filled = { readonly refusedProofs: number; readonly cached: number; readonly rssMiB: number };

const COUNT = 1_000_000;
const PROFILES = 10_000;
const PROOFS_REFUSED = 500_000;
const TTL_MS = 300_000;
const RATES = { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 };

const fill = async (): Promise<Filled> => {
  const store = createMemoryAdmissionStore({ system });
  const keyId = store.issuingKey(system.clock.wallMs() + TTL_MS)?.id ?? '';
  const cache = createProfileCache(system.clock, TTL_MS);
  const visitors = createVisitorLimits(() => 'secret', RATES);
  let refusedProofs = 0;
  for (let n = 0; n < COUNT; n += 1) {
    const proof = { challengeId: hash('sha256', `challenge ${n}`), keyId };
    if ((await store.redeem([], proof)) === 'unavailable') refusedProofs += 1;
    const address = `${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}.1`;
    await store.count(visitors.visitOf('lookup', address).counters);
    const profile = { username: `user ${n}` } as Profile;
    cache.set(String(200_000_000_000_000_000n + BigInt(n)) as Snowflake, profile);
  }
  return { refusedProofs, cached: cache.size(), rssMiB: process.memoryUsage().rss / 2 ** 20 };
};

// In a process of its own, with a small heap.
if (import.meta.main) process.stdout.write(JSON.stringify(await fill()));

/** A million spent proofs, profiles and addresses: what is full refuses or forgets, and none of it grows. */
export const fillMemory = async (): Promise<FuzzResult> => {
  const args = ['--max-old-space-size=128', import.meta.filename];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { refusedProofs, cached, rssMiB } = JSON.parse(stdout) as Filled;
  const tally = createTally();
  tally.check(refusedProofs === PROOFS_REFUSED, () => `${refusedProofs} proofs were refused`);
  tally.check(cached === PROFILES, () => `${cached} profiles are kept`);
  return { note: `resident at the end: ${rssMiB.toFixed(0)} MiB`, ...tally.result(), count: 3_000_000 };
};
