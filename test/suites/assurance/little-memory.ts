import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTally, type FuzzResult } from '#test/fuzz/tally.ts';
import type { Filled } from './memory-filler.ts';

const FILLER = join(import.meta.dirname, 'memory-filler.ts');
const PROFILES = 10_000;
const PROOFS_REFUSED = 500_000;

/** A million spent proofs, profiles and addresses: what is full refuses or forgets, and none of it grows. */
export const fillMemory = async (): Promise<FuzzResult> => {
  const args = ['--max-old-space-size=128', FILLER];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { refusedProofs, cached, rssMiB } = JSON.parse(stdout) as Filled;
  const tally = createTally();
  tally.check(refusedProofs === PROOFS_REFUSED, () => `${refusedProofs} proofs were refused`);
  tally.check(cached === PROFILES, () => `${cached} profiles are kept`);
  return { note: `resident at the end: ${rssMiB.toFixed(0)} MiB`, ...tally.result(), count: 3_000_000 };
};
