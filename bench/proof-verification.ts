import { createSecretKey, randomBytes } from 'node:crypto';
import { verifySolution } from 'altcha-lib/v1';
import { createChallengeIssuer } from '#server/captcha/challenge.ts';
import { verifyProof } from '#server/captcha/proof-verifier.ts';
import { realSystem } from '#server/system.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import type { Benchmark } from './benchmark.ts';
import { ownCpuMicros } from './cpu.ts';
import { compare, interleave, median, samplesOf, spread, warmUp, type Samples } from './rounds.ts';

const AIM = 8;
const MAX_NUMBER = 100;
const TTL_MS = 300_000;
const PROOFS = 2_000;
/** How often a pass goes through all proofs. The library is so slow that it gets fewer turns. */
const TURNS = { ours: 30, library: 3 };

/** Both take the key as text, so it is hexadecimal. */
const keyText = randomBytes(32).toString('hex');
const key = createSecretKey(Buffer.from(keyText));

const makeProofs = (): string[] => {
  const issue = createChallengeIssuer(realSystem.random);
  const expiresAtMs = Date.now() + TTL_MS;
  return Array.from({ length: PROOFS }, () =>
    encodeProof(solveChallenge(issue({ key, maxNumber: MAX_NUMBER, expiresAtMs }))),
  );
};

const passOfOurs = (proofs: readonly string[], turns: number): number => {
  const startMicros = ownCpuMicros();
  for (let turn = 0; turn < turns; turn += 1) {
    for (const proof of proofs) {
      const rules = { key, nowMs: Date.now(), ttlMs: TTL_MS, highestNumber: MAX_NUMBER };
      if (verifyProof(proof, rules).kind !== 'valid') throw new Error('Ours refused a good proof.');
    }
  }
  return (ownCpuMicros() - startMicros) / (turns * proofs.length);
};

const passOfLibrary = async (proofs: readonly string[], turns: number): Promise<number> => {
  const startMicros = ownCpuMicros();
  for (let turn = 0; turn < turns; turn += 1) {
    for (const proof of proofs) {
      if (!(await verifySolution(proof, keyText))) throw new Error('The library refused a good proof.');
    }
  }
  return (ownCpuMicros() - startMicros) / (turns * proofs.length);
};

export const proofVerification: Benchmark = {
  name: 'verification',
  run: async ({ quick }) => {
    const rounds = quick ? 3 : 9;
    const proofs = makeProofs();
    const contenders = [
      { name: 'ours', round: () => passOfOurs(proofs, TURNS.ours) },
      { name: 'library', round: () => passOfLibrary(proofs, TURNS.library) },
    ];
    await warmUp(contenders);
    const samples = await interleave(contenders, rounds);
    const ours = samplesOf(samples, 'ours');
    const library = samplesOf(samples, 'library');
    const { ratio, pairs } = compare(library, ours);
    const line = (what: string, micros: Samples) => ({
      what,
      value: `${median(micros).toFixed(1)} µs`,
      spread: spread(micros, 1),
      rounds,
      aim: '',
      met: null,
    });
    return {
      title: 'Verifying a proof, against altcha-lib/v1',
      method: [
        `CPU time of one process with all its threads, passes over the same ${PROOFS} proofs in turn, one proof after the other.`,
        'Ours also refuses every other spelling of a proof, which the library does not.',
      ],
      figures: [
        {
          what: 'cheaper than altcha-lib/v1, times',
          value: ratio.toFixed(1),
          spread: spread(pairs, 1),
          rounds,
          aim: `≥ ${AIM}`,
          met: ratio >= AIM,
        },
        line('  per proof, ours', ours),
        line('  per proof, altcha-lib/v1', library),
      ],
    };
  },
};
