import { realSystem } from '#server/system.ts';
import { searchForCanaries } from './canary-run.ts';
import { lookUpThroughChaos } from './chaos.ts';
import { donateMuchJunk } from './junk-donations.ts';
import { killDuringDonations } from './kill-run.ts';
import { fuzzProfiles } from './profile-fuzz.ts';
import { compareOptOuts, OPT_OUT_STATES, type OptOutState } from './opt-out-likeness.ts';
import { fuzzProofs, replayProofs } from './proof-fuzz.ts';
import { fuzzSealedRows } from './tamper-fuzz.ts';
import { plainSuite } from '../suites/suite.ts';
import { attackPrices } from './attack-price.ts';
import { checkDurableAnswers, donateWhileDiskFails, failQuestionsOfDisk, whyNoStrace } from './disk.ts';
import { sendHostileRequests } from './hostile-process.ts';
import { otherVisitors } from './other-visitors.ts';

export const suite = plainSuite({
  about: 'Attacks each promise of SECURITY.md many times and counts what broke.',
  options: { seed: 0 },
  parts: () => [
    { name: 'hostile requests to every route', run: ({ seed }) => sendHostileRequests(seed) },
    { name: 'respelled and mutated proofs', run: ({ seed }) => fuzzProofs(seed, 50_000) },
    { name: 'parallel uses of one proof, in 27 spellings', run: () => replayProofs(27, 200) },
    { name: 'hostile profiles', run: async ({ seed }) => fuzzProfiles(seed, 20_000) },
    { name: 'lookups amid chaos of the platform', run: ({ seed }) => lookUpThroughChaos(seed, 10_000) },
    { name: 'bit flips, cuts and swaps of sealed tokens', run: async () => fuzzSealedRows(realSystem, 12) },
    { name: 'donated tokens in anything that leaves the server', run: ({ seed }) => searchForCanaries(seed) },
    { name: 'junk donations with valid proofs', run: ({ seed }) => donateMuchJunk(seed, 20_000) },
    { name: 'answers that wait for the disk', whyNot: whyNoStrace, run: checkDurableAnswers },
    { name: 'donations while fsync fails, and after', whyNot: whyNoStrace, run: donateWhileDiskFails },
    { name: 'every question about the disk fails', whyNot: whyNoStrace, run: failQuestionsOfDisk },
    ...(Object.keys(OPT_OUT_STATES) as OptOutState[]).map((state) => ({
      name: `opt-outs and unknown ids while ${state}`,
      run: () => compareOptOuts(state),
    })),
    ...otherVisitors,
    ...attackPrices,
    { name: 'kills during donations and withdrawals', run: ({ seed }) => killDuringDonations(seed, 300) },
  ],
});
