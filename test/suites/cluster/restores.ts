import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from '#test/fuzz/dice.ts';
import { startSandboxProcess } from '#test/support/sandbox-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createVisitors, verdictOf } from '../load/visitors.ts';
import { botIdOf } from './promises.ts';
import type { Scene, Seen, Step } from './step.ts';

const NODES = 3;
const LENT = 8;
const WITHDRAWN = 4;
const LOOKUPS_PER_START = 10;
const ANSWERED_WITHIN_MS = 75_000;
const FIRST_ID = 500_000_000_000_000_000n;

const shuffled = <T>(dice: Dice, items: readonly T[]): T[] => {
  const left = [...items];
  return items.map(() => left.splice(dice.below(left.length), 1)[0] as T);
};

/**
 * A site that has only lent tokens. Some are taken back after the dump, each while only one node runs, so that no two
 * lists are the same; then the dump is restored, and the nodes start in any order.
 */
const restoreOnce = async ({ cluster, dice }: Scene): Promise<Required<Seen>> => {
  using folder = temporaryFolder();
  await using sandbox = await startSandboxProcess();
  const { BOT_TOKENS_FILE: _own, ...site } = await cluster.beginSite();
  const env = { ...site, PLATFORM_ADDRESS: sandbox.cdnUrl };
  const nodes = await cluster.addNodes(NODES, () => env);
  let asked = dice.pick(nodes);
  await using visitors = createVisitors(() => `http://127.0.0.1:${asked.port}`);
  const ask = async (path: string, body: object): Promise<string> =>
    verdictOf(await visitors.next().ask(path, body));
  let id = FIRST_ID;
  const lookUp = () => ask('/lookup', { discord_id: String((id += 1n)) });
  const expectAnswer = async (path: string, body: object, wanted: string): Promise<void> => {
    const verdict = await ask(path, body);
    if (verdict !== wanted) throw new Error(`${path} was answered with ${verdict}.`);
  };
  const killAll = () => Promise.all(nodes.map((node) => node.kill()));
  try {
    await Promise.all(nodes.map((node) => node.start()));
    const tokens = await sandbox.mintTokens(LENT, 0);
    for (const token of tokens) await expectAnswer('/donate-token', { token }, '201');
    const dump = join(folder.path, 'whoflake.dump');
    const database = site['DATABASE_URL'] ?? '';
    const { runProgram } = cluster.engine.current();
    await runProgram('pg_dump', ['--format=custom', '--no-unlogged-table-data', `--file=${dump}`, database]);
    const withdrawn = tokens.slice(0, WITHDRAWN);
    for (const token of withdrawn) {
      await killAll();
      asked = dice.pick(nodes);
      await asked.start();
      await expectAnswer('/withdraw-token', { token }, '200');
    }
    await killAll();
    await runProgram('pg_restore', [
      '--clean',
      '--if-exists',
      '--no-owner',
      '--single-transaction',
      `--dbname=${database}`,
      dump,
    ]);
    const restoredMs = Date.now();
    for (asked of shuffled(dice, nodes)) {
      await asked.start();
      await Promise.all(Array.from({ length: LOOKUPS_PER_START }, lookUp));
    }
    const deadlineMs = Date.now() + ANSWERED_WITHIN_MS;
    let verdict = await lookUp();
    for (; verdict !== '200' && verdict !== '404' && Date.now() < deadlineMs; verdict = await lookUp())
      await delay(500);
    for (let n = 0; n < LOOKUPS_PER_START; n += 1) await lookUp();
    const { lastMsByBot } = await sandbox.stats();
    const used = withdrawn.filter((token) => (lastMsByBot[botIdOf(token)] ?? 0) > restoredMs);
    const isBack = verdict === '200' || verdict === '404';
    return { note: isBack ? '' : `NOT BACK: ${verdict}`, broken: used.length + Number(!isBack) };
  } finally {
    await killAll();
  }
};

export const RESTORES: Step = {
  name: 'a dump restored, and starts in any order: uses of withdrawn tokens',
  run: async (scene) => {
    const rounds = scene.quick ? 1 : 3;
    const seen: Required<Seen>[] = [];
    for (let round = 0; round < rounds; round += 1) seen.push(await restoreOnce(scene));
    return {
      note: [`${rounds * WITHDRAWN} withdrawn tokens`, ...seen.map(({ note }) => note)]
        .filter((note) => note !== '')
        .join('; '),
      broken: seen.reduce((sum, { broken }) => sum + broken, 0),
    };
  },
};
