import { issueChallenge, verifyProof } from '#server/captcha/captcha.ts';
import { CHALLENGE_MS } from '#server/state/admission-store.ts';
import { createMemoryAdmissionStore } from '#server/state/memory-admission-store.ts';
import { createFakeSystem, type FakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge, type WidgetProof } from '#test/support/solve-challenge.ts';
import { createDice, type Dice } from './dice.ts';
import { hostileValue, mutateBytes } from './hostile-text.ts';
import { isSameProof, respellProof } from './proof-spellings.ts';
import { createTally, type FuzzResult, type Tally } from './tally.ts';

const FIELDS = ['algorithm', 'challenge', 'number', 'salt', 'signature', 'took'] as const;
const MUTATIONS_PER_PROOF = 100;

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

/** One change to a solved proof, to its fields, its JSON or its base64; `other` is a solved proof as well. */
export const mutateProof = (dice: Dice, proof: WidgetProof, other: WidgetProof): string => {
  const field = dice.pick(FIELDS);
  const json = JSON.stringify(proof);
  return dice.pick<() => string>([
    () => dice.pick([...respellProof(proof).values()]),
    () => toBase64(JSON.stringify({ ...proof, [field]: hostileValue(dice) })),
    () => toBase64(JSON.stringify({ ...proof, [field]: other[field] })),
    () => toBase64(JSON.stringify({ ...proof, number: proof.number + dice.pick([-1, 1, 1_000, 2 ** 32]) })),
    () => toBase64(json.replace(/expires=\d+/, `expires=${dice.below(2 ** 32)}`)),
    () => mutateBytes(dice, json).toString('base64'),
    () => mutateBytes(dice, encodeProof(proof)).toString('latin1'),
  ])();
};

const differentProof = (dice: Dice, proof: WidgetProof, other: WidgetProof): string => {
  const original = encodeProof(proof);
  for (;;) {
    const mutated = mutateProof(dice, proof, other);
    if (!isSameProof(mutated, original)) return mutated;
  }
};

const createCaptcha = (
  { clock, random }: FakeSystem,
  store: ReturnType<typeof createMemoryAdmissionStore>,
) => {
  const expiresAtMs = clock.wallMs() + CHALLENGE_MS;
  const key = store.issuingKey(expiresAtMs);
  if (key === undefined) throw new Error('There is no key.');
  const rules = { keyOf: store.keyOf, nowMs: clock.wallMs(), highestNumber: 800 };
  return {
    solved: () => solveChallenge(issueChallenge(random, { key: key.secret, maxNumber: 200, expiresAtMs })),
    redeem: async (text: string) => {
      const verdict = verifyProof(text, rules);
      return verdict.kind === 'valid' ? store.redeem([], verdict.proof) : verdict.kind;
    },
  };
};

const attackOneProof = async (
  dice: Dice,
  { solved, redeem }: ReturnType<typeof createCaptcha>,
  tally: Tally,
): Promise<void> => {
  const [proof, other] = [solved(), solved()];
  const expectOutcome = async (text: string, expected: string): Promise<void> => {
    const outcome = await redeem(text);
    const said = () => `${JSON.stringify(outcome)} instead of ${expected}: ${JSON.stringify(text)}`;
    tally.check(outcome === expected, said);
  };
  for (let mutation = 0; mutation < MUTATIONS_PER_PROOF; mutation += 1) {
    await expectOutcome(differentProof(dice, proof, other), 'invalid');
  }
  await expectOutcome(encodeProof(proof), 'accepted');
  await expectOutcome(encodeProof(proof), 'used');
  await expectOutcome(encodeProof({ ...proof, took: dice.below(1e6) }), 'used');
};

/** Every mutation of a proof is refused and none throws; the proof itself then works, once. */
export const fuzzProofs = async (seed: number, count: number): Promise<FuzzResult> => {
  const dice = createDice(seed);
  const system = createFakeSystem({ seed });
  const captcha = createCaptcha(system, createMemoryAdmissionStore({ system }));
  const tally = createTally();
  while (tally.result().count < count) await attackOneProof(dice, captcha, tally);
  return tally.result();
};
