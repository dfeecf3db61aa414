import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRecords, type Records } from '#server/open-records.ts';
import { OperatorError } from '#server/operator-error.ts';
import { inspectDatabase } from '#server/storage/inspect-database.ts';
import { realSystem } from '#server/system.ts';
import { createVanityLinks } from '#server/vanity/vanity-links.ts';
import { openRow } from '#server/vault/donated-tokens.ts';
import { useOperator } from '#test/support/operator.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { configOf } from '#test/support/well-formed.ts';
import { alterDatabase, type Alteration } from './alter-database.ts';
import { createDice } from './dice.ts';

const SEED = 20_261_118;
const FILES = 70;
const ID = '776367000573177858';

const site = useOperator(({ fill }) => fill());

/** What a server and its operator do with records. Rejects, or returns what went wrong. */
const misbehaviour = async (records: Records): Promise<string | null> => {
  const { optOuts, vault, vanityLinks, donatedTokens, retirements, withdrawn } = records;
  const digest = vault.optOutDigest(ID);
  const wasAdded = await optOuts.add(digest, '2026-11-18');
  if (!wasAdded || !(await optOuts.all()).some((row) => row.digest === digest)) return 'an opt-out is lost';
  const links = createVanityLinks(vanityLinks);
  await links.refresh();
  for (const { name } of await vanityLinks.all()) {
    const leads = links.follow(name);
    if (leads?.kind === 'invite' && !/^https:\/\/discord\.gg\/[\w-]{2,32}$/.test(leads.url)) return leads.url;
  }
  for (const row of await donatedTokens.all()) openRow(vault, row);
  JSON.stringify(await retirements.count());
  await withdrawn.refresh();
  await records.readStanding();
  await vault.refuseOtherKey();
  return null;
};

const start = async (dataDir: string): Promise<string> => {
  const config = configOf({ DATA_DIR: dataDir, KEYRING_FILE: join(site.dataDir, 'keyring.json') });
  try {
    const records = await openRecords(config, realSystem);
    try {
      return (await misbehaviour(records)) ?? 'good';
    } finally {
      await records.close();
    }
  } catch (error) {
    return error instanceof OperatorError ? `refused: ${error.message}` : `defect: ${String(error)}`;
  }
};

/** What is wrong with how an altered file was judged, by the command, by a look and by a start. */
const judge = async (file: string, dataDir: string, kind: Alteration['kind']) => {
  const verified = await site.ops(['backup', file, '--verify']);
  const isGood = verified.exitCode === 0;
  const looked = (await inspectDatabase(file)).kind;
  const started = await start(dataDir);
  const isRefused = started.startsWith('refused');
  const problems = [
    /internal/.test(verified.stderr) && verified.stderr,
    isGood && looked !== 'good' && `verified, but ${looked}`,
    // A start checks less of the indexes than a backup does, but never uses what it cannot.
    (isGood || !isRefused) && started !== 'good' && started,
    kind === 'schema' && (isGood || !isRefused) && `called good: ${started}`,
  ].filter((problem) => problem !== false);
  return { isGood, problems };
};

it(`of ${FILES} altered files none is called good and then misbehaves (seed ${SEED})`, async () => {
  const dice = createDice(SEED);
  const seen = { schema: 0, rows: 0, bytes: 0, refused: 0 };
  const found: string[] = [];
  for (let n = 0; n < FILES; n += 1) {
    using folder = temporaryFolder();
    const file = join(folder.path, 'whoflake.sqlite');
    copyFileSync(join(site.dataDir, 'whoflake.sqlite'), file);
    const { kind, what } = alterDatabase(file, dice);
    const { isGood, problems } = await judge(file, folder.path, kind);
    found.push(...problems.map((problem) => `${what}: ${problem}`));
    seen[kind] += 1;
    if (!isGood) seen.refused += 1;
  }
  expect(found).toEqual([]);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(FILES / 10);
});
