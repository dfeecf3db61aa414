import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '#server/storage/database.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createDice } from './dice.ts';
import { createTally, type FuzzResult } from './tally.ts';

const DATABASE = join(import.meta.dirname, '../../src/server/storage/database.ts');
/** Says when it begins, so that the kill falls into the work and not into the start of Node. */
const OPEN = `const { openDatabase } = await import(process.argv[1]);
process.stdout.write('now');
await openDatabase(process.argv[2]);`;

const tablesOf = (path: string): string => {
  using database = new DatabaseSync(path, { readOnly: true });
  const names = database.prepare("select name from sqlite_master where type = 'table' order by name").all();
  const steps = database.prepare('select count(*) as steps from schema_migration').get();
  return JSON.stringify([names, steps]);
};

const killWhileOpening = async (path: string, afterMicros: number): Promise<void> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', OPEN, DATABASE, path]);
  await once(child.stdout, 'data');
  const until = performance.now() + afterMicros / 1_000;
  while (performance.now() < until);
  child.kill('SIGKILL');
  await once(child, 'exit');
};

/** A process that dies while it makes or migrates the database leaves what the next one can go on from. */
export const killDuringMigration = async (seed: number, kills: number): Promise<FuzzResult> => {
  const dice = createDice(seed);
  const tally = createTally();
  using folder = temporaryFolder();
  const whole = join(folder.path, 'whole.sqlite');
  await (await openDatabase(whole)).destroy();
  let interrupted = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const path = join(folder.path, `${kill}.sqlite`);
    await killWhileOpening(path, dice.below(15_000));
    try {
      interrupted += tablesOf(path) === tablesOf(whole) ? 0 : 1;
    } catch {
      interrupted += 1;
    }
    const opened = await openDatabase(path).catch((error: unknown) => error);
    if (opened instanceof Error) tally.check(false, () => `kill ${kill}: ${opened.message}`);
    else {
      await (opened as Awaited<ReturnType<typeof openDatabase>>).destroy();
      tally.check(tablesOf(path) === tablesOf(whole), () => `kill ${kill}: the tables differ`);
    }
  }
  return { note: `${interrupted} in the middle of it`, ...tally.result() };
};
