import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openRecords, type Records } from '#server/open-records.ts';
import { OperatorError } from '#server/operator-error.ts';
import { openJournals } from '#server/open-state.ts';
import { createReadRecord } from '#server/storage/stored-record.ts';
import { inspectDatabase } from '#server/storage/database.ts';
import { realSystem } from '#server/system.ts';
import { openRow } from '#server/vault/donated-tokens.ts';
import { useOperator } from '#test/support/operator.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { configOf } from '#test/support/well-formed.ts';

const site = useOperator(({ fill }) => fill());

const copyOf = (alter: (file: string) => void) => {
  const folder = temporaryFolder();
  onTestFinished(folder[Symbol.dispose]);
  const file = join(folder.path, 'whoflake.sqlite');
  copyFileSync(site.database, file);
  alter(file);
  return { file, dataDir: folder.path };
};
const sql = (text: string) => (file: string) => {
  using sqlite = new DatabaseSync(file);
  sqlite.exec(text);
};

/** What a server and its operator do with records. */
const use = async ({ optOuts, vault, vanityLinks, donatedTokens, ...records }: Records): Promise<string> => {
  const digest = vault.optOutDigest('776367000573177858');
  await optOuts.add(digest, '2026-11-18');
  expect(await optOuts.all()).toContainEqual(expect.objectContaining({ digest }));
  await vanityLinks.all();
  for (const row of await donatedTokens.all()) openRow(vault, row);
  await records.retirements.count();
  await records.withdrawn.refresh();
  const { bans, invalid } = await records.readStanding();
  for (const numbers of [...Object.values(bans), ...invalid]) expect(Object.values(numbers)).toBeDefined();
  await vault.refuseOtherKey();
  const told: string[] = [];
  (await openJournals(records.database))(createReadRecord((name) => told.push(name)));
  return told.length === 0 ? 'good' : `told of ${told.join()}`;
};

const start = async (dataDir: string): Promise<string> => {
  const keyringFile = join(site.dataDir, 'keyring.json');
  try {
    await using records = await openRecords(
      configOf({ DATA_DIR: dataDir, KEYRING_FILE: keyringFile }),
      realSystem,
    );
    return await use(records);
  } catch (error) {
    if (error instanceof OperatorError) return 'refused';
    throw error;
  }
};

it.each([
  sql('create trigger x before insert on opt_out begin select raise(ignore); end'),
  sql('create view x as select * from opt_out'),
  sql('alter table opt_out rename to y; create view opt_out as select * from y'),
  sql(`insert into schema_migration values (99, 'later')`),
  sql(`insert into schema_migration values (9223372036854775807, 'later')`),
  sql('drop table schema_migration'),
  (file: string) => truncateSync(file, 20_000),
  (file: string) => writeFileSync(file, readFileSync(file).fill(0xff, 12_288, 16_384)),
])(
  'an altered or damaged database (%#) is refused by a check of backups, a look and a start',
  async (alter) => {
    const { file, dataDir } = copyOf(alter);
    const verified = await site.ops(['backup', file, '--verify']);
    expect(verified.exitCode).not.toBe(0);
    expect(verified.stderr).not.toContain('internal');
    expect((await inspectDatabase(file)).kind).not.toBe('good');
    expect(await start(dataDir)).toBe('refused');
  },
);

const record = (json: string) => `insert or replace into standing values ('platform', '${json}')`;
it.each([
  ['good', `update donated_token set ciphertext = ''`],
  ['good', `update donated_token set wrapped_key = 'text', created_day = x'00ff'`],
  ['good', `update vanity_link set invite_code = '../../x?redirect=https://evil.example', checked_at = -1`],
  ['good', `update opt_out set digest = char(0)`],
  ['told of standing.platform', record('{"bans":null,"invalid":[null]}')],
  ['told of standing.platform', record('{"bans":{"getUser":{"untilMs":"x"}},"invalid":[{"startMs":{}}]}')],
  ['refused', `update donated_token set wrapped_key = 9223372036854775807`],
  ['refused', `update vault_key set check_digest = x'00ff'`],
])('a start is %s with rows that nobody has written (%s), and no defect', async (outcome, text) => {
  expect(await start(copyOf(sql(text)).dataDir)).toBe(outcome);
});
