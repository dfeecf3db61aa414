import { setTimeout as pause } from 'node:timers/promises';
import { startAppProcess } from '#test/support/app-process.ts';
import { startPlatform } from '#test/support/process-site.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createDonors, type Donors } from '../suites/load/donors.ts';
import { createVisitors } from '../suites/load/visitors.ts';
import { DRIVEN, ROOMY } from '../suites/world.ts';
import { createDice } from './dice.ts';
import { readStoredTokens } from './stored-tokens.ts';
import { createTally, type FuzzResult } from './tally.ts';

const DONORS = 6;
/** Counted from a life's first acknowledgement, so that most kills fall among others. */
const LONGEST_LIFE_MS = 250;
const FIRST_LIMIT_MS = 3_000;
const TOKENS_PER_LIFE = 500;

const donateOn = async (donors: Donors): Promise<void> => {
  try {
    for (;;) await donors.come();
  } catch {
    // Killed.
  }
};

const RESTORED = /"event":"tokens-refreshed",.*?"opened":(\d+),"unreadable":(\d+)/;

/** Kills the server at random moments of donations and withdrawals, over the same data again and again. */
export const killDuringDonations = async (seed: number, kills: number): Promise<FuzzResult> => {
  using folder = temporaryFolder();
  const dice = createDice(seed);
  await using platform = await startPlatform();
  let origin = '';
  await using visitors = createVisitors(() => origin);
  const tokens = Array.from({ length: kills * TOKENS_PER_LIFE }, (_, n) => platform.sandbox.mintToken(n));
  const donors = createDonors({ visitors, dice, tokens });
  const tally = createTally();
  let kept = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    await using server = startAppProcess({ ...ROOMY, ...DRIVEN, ...platform.env, DATA_DIR: folder.path });
    origin = await server.origin;
    const [, opened, unreadable] = RESTORED.exec(server.output()) ?? ['', '0', '0'];
    const first = donors.come().catch(() => {});
    const all = Array.from({ length: DONORS }, () => donateOn(donors));
    if (dice.chance(0.9)) await Promise.race([first, pause(FIRST_LIMIT_MS)]);
    await pause(dice.below(LONGEST_LIFE_MS));
    server.signal('SIGKILL');
    await Promise.all([server.ended, first, ...all]);
    const isRestored = Number(opened) === kept && unreadable === '0';
    tally.check(isRestored, () => `kill ${kill}: ${opened} of ${kept} restored`);
    const stored = await readStoredTokens(folder.path);
    const broken = donors.broken(stored);
    tally.check(broken === 0, () => `kill ${kill}: ${broken} acknowledgements do not hold`);
    kept = stored.kept.size;
  }
  return { note: `${donors.acknowledged()} acknowledgements held`, ...tally.result(), count: kills };
};
