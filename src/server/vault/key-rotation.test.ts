import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { EXIT } from '#server/operator-error.ts';
import { openRecords, type Records } from '#server/open-records.ts';
import { realSystem as system } from '#server/system.ts';
import { openRow, sealRow } from './donated-tokens.ts';
import { usePostgres } from '#test/support/databases.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { configOf, tokenOf } from '#test/support/well-formed.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { retireKey, rotateKey, type KeyRotationDeps } from './key-rotation.ts';
import { readKeyring } from './keyring.ts';

const TOKENS = 51;
const { mintToken } = createSandbox();
const secrets = Array.from({ length: TOKENS }, (_, n) => mintToken(n));

/** By data folder, where the records are in PostgreSQL. */
const databaseUrls = new Map<string, string>();

const openSite = (dataDir: string, { isNewSite = false } = {}): Promise<Records> => {
  const url = databaseUrls.get(dataDir);
  const config = configOf({ DATA_DIR: dataDir, ...(url === undefined ? {} : { DATABASE_URL: url }) });
  return openRecords(config, system, { isNewSite: isNewSite || url === undefined });
};

const storeToken = async (
  { donatedTokens, vault }: Records,
  secret: string,
  number: number,
): Promise<void> => {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const identity = {
    id,
    receipt_digest: `${number}`,
    created_day: '2026-01-01',
    platform: 'sandbox' as const,
  };
  await donatedTokens.save(sealRow(vault, identity, tokenOf(secret)));
};

const rotate = (records: Records, dataDir: string, deps: Partial<KeyRotationDeps> = {}) =>
  rotateKey({
    ...records,
    system,
    keyringFile: join(dataDir, 'keyring.json'),
    refuseRunning: async () => {},
    onProgress: () => {},
    ...deps,
  });

const keysIn = (dataDir: string) =>
  readKeyring(join(dataDir, 'keyring.json'))?.keys.map(({ kid }) => kid) ?? [];

const inspectSite = async (dataDir: string) => {
  const records = await openSite(dataDir);
  const rows = (await records.donatedTokens.all()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const found = {
    secrets: rows.map((row) => openRow(records.vault, row)?.secret.reveal() ?? 'closed'),
    receipts: rows.map((row) => row.receipt_digest),
    kids: [...new Set(rows.map(({ kid }) => kid))],
    active: records.vault.kid,
    known: (await records.database.selectFrom('vault_key').select('kid').execute()).map(({ kid }) => kid),
  };
  await records.close();
  return found;
};

/** Hands out copies of a site with all the secrets stored, each in a folder and, if asked for, a database of its own. */
const useSites = (dialect: 'SQLite' | 'PostgreSQL', missing: string | null) => {
  const postgres = usePostgres();
  const template = temporaryFolder();
  beforeAll(async () => {
    if (missing !== null) return;
    if (dialect === 'PostgreSQL') databaseUrls.set(template.path, await (await postgres()).newDatabase());
    const records = await openSite(template.path, { isNewSite: true });
    for (const [number, secret] of secrets.entries()) await storeToken(records, secret, number);
    await records.close();
  });
  afterAll(() => template[Symbol.dispose]());

  const copy = async () => {
    const folder = temporaryFolder();
    const url = databaseUrls.get(template.path);
    if (url !== undefined) databaseUrls.set(folder.path, await (await postgres()).newDatabase(url));
    for (const name of url === undefined ? ['whoflake.sqlite', 'keyring.json'] : ['keyring.json'])
      writeFileSync(join(folder.path, name), readFileSync(join(template.path, name)), { mode: 0o600 });
    return folder;
  };
  return copy;
};

const killed = (): never => {
  throw new TypeError('killed');
};

/** At the n-th call. */
const killedAt = (n: number) => {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === n) killed();
  };
};

type Kill = readonly [when: string, deps: (dataDir: string) => Partial<KeyRotationDeps>];

const KILLS: readonly Kill[] = [
  [
    'while the file gets its key',
    (dataDir) => ({
      refuseRunning: async () => {
        writeFileSync(join(dataDir, 'keyring.json.new'), '{"v":1,"keys":[');
        killed();
      },
    }),
  ],
  ['in the middle of the rows', () => ({ onProgress: killedAt(26) })],
  ['after the last row', () => ({ onProgress: killedAt(TOKENS) })],
  [
    'because a server has started meanwhile',
    () => {
      const kill = killedAt(2);
      return { refuseRunning: async () => kill() };
    },
  ],
];

describe.each([
  ['SQLite', null],
  ['PostgreSQL', POSTGRES_MISSING],
] as const)('in %s', (dialect, missing) => {
  const copy = useSites(dialect, missing);
  const it = test.skipIf(missing !== null);

  it.each(KILLS)(
    'a rotation that ends %s leaves all rows as they were, and the next does all',
    async (_name, deps) => {
      using folder = await copy();
      const before = await inspectSite(folder.path);
      const records = await openSite(folder.path);
      await expect(rotate(records, folder.path, deps(folder.path))).rejects.toThrow('killed');
      await records.close();
      expect(await inspectSite(folder.path)).toEqual(before);
      expect(keysIn(folder.path)).toContain(before.active);

      const again = await openSite(folder.path);
      const report = await rotate(again, folder.path);
      await again.close();
      expect(report).toMatchObject({ resealed: TOKENS, unreadable: 0 });
      expect(report.kid).not.toBe(before.active);
      const after = await inspectSite(folder.path);
      expect(after).toEqual({
        ...before,
        kids: [report.kid],
        active: report.kid,
        known: expect.arrayContaining([report.kid, 'opt-out']),
      });
      expect(after.known).toHaveLength(2);
      expect(keysIn(folder.path)).toEqual(expect.arrayContaining([before.active, report.kid]));
    },
  );

  it('a rotation is not seen by a server that was cut off, which then neither lends nor stores', async () => {
    using folder = await copy();
    const [server, records] = [await openSite(folder.path), await openSite(folder.path)];
    await rotate(records, folder.path);
    const refusal = { exitCode: EXIT.keyringChanged };
    await expect(server.vault.refuseOtherKey()).rejects.toMatchObject(refusal);
    await expect(storeToken(server, mintToken(TOKENS), TOKENS)).rejects.toMatchObject(refusal);
    // Nor is anything made of its key.
    await expect(rotate(server, folder.path)).rejects.toMatchObject(refusal);
    await Promise.all([server.close(), records.close()]);
    expect((await inspectSite(folder.path)).secrets.toSorted()).toEqual(secrets.toSorted());
    expect(keysIn(folder.path)).toHaveLength(2);
  });

  it('a rotation leaves rows that no key opens, and is not held up by them', async () => {
    using folder = await copy();
    const records = await openSite(folder.path);
    const [row] = await records.donatedTokens.all();
    await records.database
      .updateTable('donated_token')
      .set({ ciphertext: new Uint8Array(40) })
      .where('id', '=', row?.id ?? '')
      .execute();
    expect(await rotate(records, folder.path)).toMatchObject({ resealed: TOKENS - 1, unreadable: 1 });
    expect(await records.donatedTokens.all()).toHaveLength(TOKENS);
    await records.close();
  });

  it('a rotation tells how far it is, and a key is retired that is not the active one', async () => {
    using folder = await copy();
    const records = await openSite(folder.path);
    const retiring = { database: records.database, keyringFile: join(folder.path, 'keyring.json') };
    const old = records.vault.kid;
    const progress: string[] = [];
    expect(await retireKey(retiring, '0'.repeat(16))).toBe('unknown');
    expect(await retireKey(retiring, old)).toBe('active');
    const onProgress = (done: number, total: number) => void progress.push(`${done}/${total}`);
    const { kid } = await rotate(records, folder.path, { onProgress });
    expect(progress).toEqual(secrets.map((_, n) => `${n + 1}/${TOKENS}`));
    expect(await retireKey(retiring, old)).toBe('retired');
    expect(keysIn(folder.path)).toEqual([kid]);
    await records.close();
    expect((await inspectSite(folder.path)).secrets).not.toContain('closed');
  });
});
