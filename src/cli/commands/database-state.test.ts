import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inspectDatabase } from '#server/storage/database.ts';
import { makeOlderDatabase } from '#test/support/older-database.ts';
import { useOperator } from '#test/support/operator.ts';

const { ops, printed, json, dataDir, database, elsewhere } = useOperator(({ ops }) => ops(['init']));

/** Whatever opens the records. */
const COMMANDS = ['tokens list', 'vanity list', 'vault status', 'optout add 441997505123577857'];

it('a database of an older version is copied as it is by a backup, and left as it is by all but migrate', async () => {
  await makeOlderDatabase(database);
  for (const command of COMMANDS)
    expect(await printed(command.split(' ')), command).toBe(
      '2 The database is from an older version: run ops migrate, or start the server.',
    );
  expect((await ops(['doctor'])).stdout).toMatch(/failed +records +The database is from an older version/);
  const file = join(elsewhere, 'backup');
  expect(await ops(['backup', file])).toMatchObject({ exitCode: 0 });
  expect(await inspectDatabase(file)).toEqual({ kind: 'outdated', version: 0 });
  expect(await printed(['migrate'])).toMatch(/^0 Upgraded the database from version 0 to \d+\.$/);
});

it('a database that is gone while its keyring is there is found by the doctor, and begun again by init, which never replaces one', async () => {
  rmSync(database);
  expect(await printed(['doctor'])).toMatch(
    /^1 .*records +The database in .* is missing, but there has been one/s,
  );
  expect(await ops(['init'])).toMatchObject({ exitCode: 0 });
  expect(await ops(['optout', 'add', '441997505123577857'])).toMatchObject({ exitCode: 0 });
  expect(await printed(['init'])).toBe(`0 There is already a site in ${dataDir}: nothing was changed.`);
  expect(await json(['status'])).toMatchObject({ records: { opt_out_count: 1 } });
});
