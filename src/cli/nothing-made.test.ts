import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { useOperator } from '#test/support/operator.ts';
import { CALLS } from '#test/support/ops-calls.ts';
import { COMMANDS } from './commands.ts';

const MAKERS = new Set(['init', 'restore', 'move-records']);
const OTHERS = COMMANDS.map(({ name }) => name).filter((name) => !MAKERS.has(name));

const { ops, printed, sandbox, dataDir, elsewhere } = useOperator();
/** A folder that was mistyped, and one for the keyring. */
const MISTYPED = { DATA_DIR: join(elsewhere, 'dta'), KEYRING_FILE: join(elsewhere, 'kys/keyring.json') };
const PLACES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['folders that do not exist', MISTYPED],
  ['an empty folder', { DATA_DIR: join(elsewhere, 'empty') }],
  [
    'no database beside a keyring',
    { DATA_DIR: MISTYPED.DATA_DIR, KEYRING_FILE: join(dataDir, 'keyring.json') },
  ],
  ['no keyring beside a database', { KEYRING_FILE: MISTYPED.KEYRING_FILE }],
  ['an empty PostgreSQL', { ...MISTYPED, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }],
];

it.each(OTHERS)('%s makes no database and no keyring, wherever it looks', async (name) => {
  for (const [place, env] of PLACES) {
    mkdirSync(join(elsewhere, 'empty'), { recursive: true });
    for (const call of CALLS[name] ?? []) {
      // A backup without its keyring is still one.
      const words = call.map((word) => word.replace('<file>', join(dataDir, 'copy.sqlite')));
      await ops([...name.split(' '), ...words], { env, input: sandbox.mintToken(1) });
    }
    expect(readdirSync(elsewhere, { recursive: true }), place).toEqual(['empty']);
  }
});

it('makes no keyring for a database that was begun without one', async () => {
  using database = new DatabaseSync(join(dataDir, 'whoflake.sqlite'));
  database.exec('delete from vault_key');
  expect(
    await printed(['optout', 'add', '441997505123577857'], { env: { KEYRING_FILE: MISTYPED.KEYRING_FILE } }),
  ).toBe(
    `70 There is no keyring ${MISTYPED.KEYRING_FILE}: check KEYRING_FILE, or start the server once, which makes one.`,
  );
  expect(readdirSync(elsewhere)).toEqual([]);
});
