import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { parseConfig } from '#server/config.ts';
import { openRecords } from '#server/open-records.ts';
import { parseBotToken } from '#server/platform/bot-token.ts';
import { realSystem as system } from '#server/system.ts';
import { inFirstFormat } from '#test/support/first-format-row.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { resealFirstFormat } from './reseal.ts';
import { openRow, sealRow } from './sealed-row.ts';

/** More than two batches. */
const TOKENS = 250;
const { mintToken } = createSandbox();
const secrets = Array.from({ length: TOKENS }, (_, n) => mintToken(n));

const open = (dataDir: string) => {
  const parsed = parseConfig({ DATA_DIR: dataDir }, () => '');
  if (!parsed.ok) throw new TypeError(parsed.problems.join(' '));
  return openRecords(parsed.config, system);
};

/** A folder as the version before has left it. */
const leftByFirstVersion = async () => {
  const folder = temporaryFolder();
  const { vault, donatedTokens, close } = await open(folder.path);
  for (const [n, secret] of secrets.entries()) {
    const parsed = parseBotToken(secret);
    if (!parsed.ok) throw new TypeError(parsed.problem);
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    const row = sealRow(
      vault,
      { id, receipt_digest: `receipt ${n}`, created_day: '2026-01-01' },
      parsed.token,
    );
    await donatedTokens.save(inFirstFormat(row, secret, join(folder.path, 'keyring.json')));
  }
  await close();
  using sqlite = new DatabaseSync(join(folder.path, 'whoflake.sqlite'));
  sqlite.exec('alter table donated_token drop column format');
  sqlite.exec('delete from schema_migration where number = 4');
  return folder;
};

const inspect = async (dataDir: string) => {
  const { vault, donatedTokens, close } = await open(dataDir);
  const rows = (await donatedTokens.all()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await close();
  return {
    secrets: rows.map((row) => openRow(vault, row)?.secret.reveal()),
    receipts: rows.map(({ receipt_digest }) => receipt_digest),
    formats: [...new Set(rows.map(({ format }) => format))],
  };
};

const WHOLE = { secrets, receipts: secrets.map((_, n) => `receipt ${n}`), formats: [2] };

describe('rows of the first format', () => {
  it('are resealed when they are first opened, with their receipts', async () => {
    using folder = await leftByFirstVersion();
    expect(await inspect(folder.path)).toEqual(WHOLE);
  });

  it.each([1, 2, 3])('are resealed by the next process if one is killed at batch %i', async (batch) => {
    using folder = await leftByFirstVersion();
    const { vault, donatedTokens, database, close } = await open(folder.path);
    // Back to where it began, with the schema of now.
    for (const [n, row] of (await donatedTokens.all()).entries()) {
      const first = inFirstFormat(row, secrets[n] ?? '', join(folder.path, 'keyring.json'));
      await database.updateTable('donated_token').set(first).where('id', '=', row.id).execute();
    }
    let calls = 0;
    const killed: typeof donatedTokens = {
      ...donatedTokens,
      reseal: (rows) => {
        calls += 1;
        if (calls === batch) throw new TypeError('killed');
        return donatedTokens.reseal(rows);
      },
    };
    await expect(resealFirstFormat({ vault, donatedTokens: killed })).rejects.toThrow('killed');
    expect(await donatedTokens.ofFormat(1, '', 1_000)).toHaveLength(TOKENS - (batch - 1) * 100);
    await close();
    expect(await inspect(folder.path)).toEqual(WHOLE);
  });

  it('do not open any more as what they were, once they are resealed', async () => {
    using folder = await leftByFirstVersion();
    copyFileSync(join(folder.path, 'whoflake.sqlite'), join(folder.path, 'old.sqlite'));
    const { vault, donatedTokens, close } = await open(folder.path);
    const [row] = await donatedTokens.all();
    if (row === undefined) throw new TypeError('There are rows.');
    using old = new DatabaseSync(join(folder.path, 'old.sqlite'));
    const before = old.prepare('select wrapped_key, ciphertext from donated_token where id = ?').get(row.id);
    const { wrapped_key, ciphertext } = before as Pick<typeof row, 'wrapped_key' | 'ciphertext'>;
    expect(openRow(vault, { ...row, wrapped_key, ciphertext })).toBeNull();
    await close();
  });
});
