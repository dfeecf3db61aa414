import { CHALLENGE_MS, createSpentProofs, issueChallenge, verifyProof } from '#server/visitors/captcha.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge, type WidgetProof } from '#test/support/solve-challenge.ts';
import { startTestApp } from '#test/support/test-app.ts';
import { createDice, type Dice } from './dice.ts';
import { hostileValue, mutateBytes } from './hostile-text.ts';
import { almostProofs, isSameProof, sameProofs } from './proof-spellings.ts';
import { createTally, type FuzzResult } from './tally.ts';

const FIELDS = ['algorithm', 'challenge', 'number', 'salt', 'signature', 'took'] as const;
const MUTATIONS_PER_PROOF = 100;
const ID = '441997505123577857';

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

/** One change to a solved proof, to its fields, its JSON or its base64; `other` is a solved proof as well. */
export const mutateProof = (dice: Dice, proof: WidgetProof, other: WidgetProof): string => {
  const field = dice.pick(FIELDS);
  const json = JSON.stringify(proof);
  return dice.pick<() => string>([
    () => dice.pick(almostProofs(proof))[1],
    () => toBase64(JSON.stringify({ ...proof, [field]: hostileValue(dice) })),
    () => toBase64(JSON.stringify({ ...proof, [field]: other[field] })),
    () => toBase64(JSON.stringify({ ...proof, number: proof.number + dice.pick([-1, 1, 1_000, 2 ** 32]) })),
    () => toBase64(json.replace(/expires=\d+/, `expires=${dice.below(2 ** 32)}`)),
    () => mutateBytes(dice, json).toString('base64'),
    () => mutateBytes(dice, encodeProof(proof)).toString('latin1'),
  ])();
};

const differentProof = (dice: Dice, proof: WidgetProof, other: WidgetProof): string => {
  for (;;) {
    const mutated = mutateProof(dice, proof, other);
    if (!isSameProof(mutated, proof)) return mutated;
  }
};

/** Every mutation of a proof is refused and none throws; the proof itself then works, once. */
export const fuzzProofs = async (seed: number, count: number): Promise<FuzzResult> => {
  const dice = createDice(seed);
  const system = createFakeSystem({ seed });
  const proofs = createSpentProofs(system);
  const expiresAtMs = system.clock.wallMs() + CHALLENGE_MS;
  const key = proofs.issuingKey(expiresAtMs);
  if (key === undefined) throw new Error('There is no key.');
  const solved = () =>
    solveChallenge(issueChallenge(system.random, { key: key.secret, maxNumber: 200, work: 1, expiresAtMs }));
  const rules = { keyOf: proofs.keyOf, nowMs: system.clock.wallMs(), highestNumber: 800 };
  const tally = createTally();
  const check = async (text: string, expected: string): Promise<void> => {
    const verdict = verifyProof(text, rules);
    const outcome = verdict.kind === 'valid' ? await proofs.spend(verdict.proof) : verdict.kind;
    tally.check(outcome === expected, () => `${JSON.stringify(outcome)}: ${JSON.stringify(text)}`);
  };
  while (tally.result().count < count) {
    const [proof, other] = [solved(), solved()];
    for (let n = 0; n < MUTATIONS_PER_PROOF; n += 1)
      await check(differentProof(dice, proof, other), 'invalid');
    await check(encodeProof(proof), 'accepted');
    for (const [, same] of sameProofs(proof)) await check(same, 'used');
  }
  return tally.result();
};

/** One solved proof per spelling, sent many times at once, half of them respelled: exactly one use is accepted. */
export const replayProofs = async (spellings: number, parallel: number): Promise<FuzzResult> => {
  await using test = await startTestApp();
  await test.lookUp(ID);
  const tally = createTally();
  for (let spelling = 0; spelling < spellings; spelling += 1) {
    const solved = solveChallenge((await test.app.server.inject('/challenge')).json());
    const respelled = sameProofs(solved);
    const [name, text] = respelled[spelling % respelled.length] ?? ['', ''];
    const uses = Array.from({ length: parallel }, (_, use) => (use % 2 === 0 ? encodeProof(solved) : text));
    const answers = await Promise.all(uses.map((proof) => test.postLookup({ discord_id: ID, proof })));
    const accepted = answers.filter(({ statusCode }) => statusCode === 200).length;
    for (const { statusCode } of answers)
      tally.check([200, 403].includes(statusCode) && accepted === 1, () => `${name}: ${accepted} accepted`);
  }
  return tally.result();
};
