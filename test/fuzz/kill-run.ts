import { setTimeout as pause } from 'node:timers/promises';
import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { createDonorOverHttp, ROOMY_FOR_DONORS } from '#test/support/donor-over-http.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createDice, type Dice } from './dice.ts';
import { readStoredTokens, type StoredTokens } from './stored-tokens.ts';
import { createTally, type FuzzResult } from './tally.ts';

/** What the server has acknowledged of a token. In between, it may be there or not. */
type Acknowledged = 'nothing yet' | 'donation' | 'donation, and asked to leave' | 'withdrawal';

type Run = {
  readonly sandbox: Sandbox;
  readonly dice: Dice;
  /** By token. */
  readonly ledger: Map<string, Acknowledged>;
  acknowledged: number;
  onAcknowledged: () => void;
};

type Env = Readonly<Record<string, string>> & { readonly DATA_DIR: string };

const DONORS = 6;
/** Counted from a life's first acknowledgement, so that most kills fall among others. */
const LONGEST_LIFE_MS = 250;
const FIRST_LIMIT_MS = 3_000;

/** Donates and takes back until the server is gone. */
const donateOn = async (run: Run, origin: string): Promise<void> => {
  const { sandbox, dice, ledger } = run;
  const post = createDonorOverHttp(origin);
  const acknowledge = (token: string, what: Acknowledged): void => {
    ledger.set(token, what);
    run.acknowledged += 1;
    run.onAcknowledged();
  };
  try {
    for (;;) {
      const token = sandbox.mintToken(ledger.size);
      ledger.set(token, 'nothing yet');
      const donation = await post('/donate-token', { token });
      if (donation.status !== 201) continue;
      acknowledge(token, 'donation');
      if (dice.chance(0.4)) continue;
      const { receipt } = JSON.parse(donation.text) as { receipt: string };
      ledger.set(token, 'donation, and asked to leave');
      const withdrawal = await post('/withdraw-token', dice.chance(0.5) ? { token } : { receipt });
      if (withdrawal.status !== 200) continue;
      acknowledge(token, 'withdrawal');
    }
  } catch {
    // Killed.
  }
};

/** What contradicts an acknowledgement; what was open is decided now. */
const reconcile = ({ ledger }: Run, { kept, unreadable }: StoredTokens): string[] => {
  const problems = unreadable > 0 ? [`${unreadable} rows do not open`] : [];
  for (const [token, acknowledged] of ledger) {
    if (acknowledged === 'donation' && !kept.has(token)) problems.push('a donation was lost');
    if (acknowledged === 'withdrawal' && kept.has(token)) problems.push('a withdrawn token is back');
    ledger.set(token, kept.has(token) ? 'donation' : 'withdrawal');
  }
  for (const token of kept) if (!ledger.has(token)) problems.push('a token that nobody gave');
  return problems;
};

const RESTORED = /"event":"tokens-refreshed","opened":(\d+),"removed":\d+,"unreadable":(\d+)/;

/** One life of the server, from its start to the kill. Resolves with what contradicts its acknowledgements. */
const liveAndDie = async (run: Run, env: Env, keptBefore: number) => {
  await using process = startAppProcess(env);
  const origin = await process.origin;
  const [, opened, unreadable] = RESTORED.exec(process.output()) ?? ['', '0', '0'];
  const firstAcknowledged = new Promise<void>((resolve) => {
    run.onAcknowledged = resolve;
  });
  const donors = Array.from({ length: DONORS }, () => donateOn(run, origin));
  if (run.dice.chance(0.9)) await Promise.race([firstAcknowledged, pause(FIRST_LIMIT_MS)]);
  await pause(run.dice.below(LONGEST_LIFE_MS));
  process.signal('SIGKILL');
  await Promise.all([process.ended, ...donors]);
  const stored = await readStoredTokens(env.DATA_DIR);
  const problems = reconcile(run, stored);
  if (Number(opened) !== keptBefore || unreadable !== '0')
    problems.push(`${opened} of ${keptBefore} restored`);
  return { problems, kept: stored.kept.size };
};

/** Kills the server at random moments of donations and withdrawals, over the same data again and again. */
export const killDuringDonations = async (seed: number, kills: number): Promise<FuzzResult> => {
  using folder = temporaryFolder();
  const sandbox = createSandbox();
  const { cdnUrl } = await sandbox.listen();
  const env = {
    ...ROOMY_FOR_DONORS,
    DATA_DIR: folder.path,
    PLATFORM_ADDRESS: cdnUrl,
  };
  const run: Run = {
    sandbox,
    dice: createDice(seed),
    ledger: new Map(),
    acknowledged: 0,
    onAcknowledged: () => {},
  };
  const tally = createTally();
  let kept = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const death = await liveAndDie(run, env, kept);
    kept = death.kept;
    tally.check(death.problems.length === 0, () => `kill ${kill}: ${death.problems.join(', ')}`);
  }
  await sandbox.close();
  return { note: `${run.acknowledged} acknowledgements held`, ...tally.result() };
};
