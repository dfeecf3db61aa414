import { chmodSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { useOperator } from '#test/support/operator.ts';

const { ops, sandbox, dataDir, database, keyring, elsewhere } = useOperator(({ fill }) => fill());

const SITUATIONS: readonly (readonly [code: keyof typeof EXIT, happens: () => unknown])[] = [
  ['keyringMissing', () => rmSync(keyring)],
  ['keyringExposed', () => chmodSync(keyring, 0o644)],
  ['databaseCorrupt', () => writeFileSync(database, 'x'.repeat(9_000))],
  ['databaseMissing', () => renameSync(database, join(elsewhere, 'moved'))],
];

it.each(SITUATIONS)('%s has one exit code, whatever the command', async (name, happens) => {
  happens();
  const commands = ['tokens list', 'vanity pause snow', 'vault rotate', 'migrate', 'backup /tmp/none/copy'];
  for (const command of commands.slice(0, name.startsWith('keyring') ? 4 : 3))
    expect((await ops(command.split(' '))).exitCode, command).toBe(EXIT[name]);
});

const MISTYPED = { DATA_DIR: join(elsewhere, 'dta'), KEYRING_FILE: join(elsewhere, 'kys/keyring.json') };

it.each([
  ['folders that do not exist', MISTYPED],
  ['no database beside a keyring', { DATA_DIR: MISTYPED.DATA_DIR, KEYRING_FILE: keyring }],
  ['no keyring beside a database', { KEYRING_FILE: MISTYPED.KEYRING_FILE }],
  ['no PostgreSQL', { ...MISTYPED, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }],
])('no command makes a database or a keyring where it finds %s', async (_, env) => {
  const commands = ['status', 'doctor', 'tokens add', 'optout add 1', 'vault rotate', 'migrate'];
  for (const command of [...commands, `backup ${join(dataDir, 'x')}`]) {
    await ops(command.split(' '), { env, input: sandbox.mintToken(1) });
    expect(readdirSync(elsewhere, { recursive: true }), command).toEqual([]);
  }
});
