import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { useOperator } from '#test/support/operator.ts';

const { ops, dataDir, elsewhere } = useOperator(({ fill }) => fill());
const [database, keyring] = [join(dataDir, 'whoflake.sqlite'), join(dataDir, 'keyring.json')];
const sqlite = (statement: string): void => {
  using opened = new DatabaseSync(database);
  opened.exec(statement);
};

/** Whatever needs the records. */
const COMMANDS = [
  'status',
  'tokens list',
  'tokens check',
  'withdrawn merge /etc/hostname',
  'vanity list',
  'vanity pause snow',
  'optout add 441997505123577857',
  'vault status',
  'vault rotate',
  `backup ${join(elsewhere, 'copy')}`,
  'init',
  'migrate',
];

const SITUATIONS: readonly (readonly [code: keyof typeof EXIT, happens: () => unknown])[] = [
  ['keyringMissing', () => rmSync(keyring)],
  ['keyringUnreadable', () => writeFileSync(keyring, '{}')],
  ['keyringExposed', () => chmodSync(keyring, 0o644)],
  ['databaseCorrupt', () => writeFileSync(database, 'x'.repeat(9_000))],
  ['databaseNewer', () => sqlite(`insert into schema_migration values (99, 'later')`)],
  ['databaseMissing', () => renameSync(database, join(elsewhere, 'moved'))],
];

it.each(SITUATIONS)('%s has one exit code in all commands', async (name, happens) => {
  happens();
  const codes: string[] = [];
  for (const command of COMMANDS) {
    rmSync(join(elsewhere, 'copy'), { force: true });
    // Init begins a new site where the database is gone: that is what it is for.
    const isBeginning = command === 'init' && name === 'databaseMissing';
    const exitCode = isBeginning ? EXIT[name] : (await ops(command.split(' '))).exitCode;
    codes.push(`${command} ${exitCode}`);
  }
  expect(codes).toEqual(COMMANDS.map((command) => `${command} ${EXIT[name]}`));
});
