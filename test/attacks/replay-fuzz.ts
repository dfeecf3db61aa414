import { startTestApp } from '#test/support/test-app.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { respellProof } from './proof-spellings.ts';
import { createTally, type FuzzResult } from './tally.ts';

const ID = '441997505123577857';

/** One solved proof per spelling, sent many times at once, half of them respelled: exactly one use is accepted. */
export const fuzzReplays = async (attacks: { spellings: number; parallel: number }): Promise<FuzzResult> => {
  await using test = await startTestApp();
  await test.lookUp(ID);
  const tally = createTally();
  for (let spelling = 0; spelling < attacks.spellings; spelling += 1) {
    const solved = solveChallenge((await test.app.server.inject('/challenge')).json());
    const spellings = [...respellProof(solved)];
    const [name, respelled] = spellings[spelling % spellings.length] ?? ['', ''];
    const texts = Array.from({ length: attacks.parallel }, (_, use) =>
      use % 2 === 0 ? encodeProof(solved) : respelled,
    );
    const answers = await Promise.all(texts.map((proof) => test.postLookup({ discord_id: ID, proof })));
    const successes = answers.filter(({ statusCode }) => statusCode === 200).length;
    for (const [use, { statusCode }] of answers.entries()) {
      const holds = statusCode === 403 || (statusCode === 200 && successes === 1);
      tally.check(holds, () => `${name}, use ${use}: ${statusCode}, ${successes} successes`);
    }
    if (successes === 0) tally.check(false, () => `${name}: no use of the proof was accepted`);
  }
  return tally.result();
};
