import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { openRecords, type Records } from '#server/open-records.ts';
import { isPostgres } from '#server/storage/sql-dialect.ts';
import { realSystem as system } from '#server/system.ts';
import { openRow, sealRow } from './sealed-row.ts';
import { usePostgres } from '#test/support/databases.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { configOf, tokenOf } from '#test/support/well-formed.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { countOutdated, createKeyRotation, type KeyRotationDeps } from './key-rotation.ts';

/** More than one batch. */
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

const rotation = (records: Records, dataDir: string, deps: Partial<KeyRotationDeps> = {}) => {
  const { addWaiting, rotate, retire } = createKeyRotation({
    ...records,
    system,
    keyringFile: join(dataDir, 'keyring.json'),
    pause: async () => {},
    onProgress: () => {},
    serversWithout: async () => [],
    ...deps,
  });
  return {
    addWaiting,
    retire,
    /** In PostgreSQL a new key is put on the ring first, in a step of its own. */
    rotate: async () => {
      if (isPostgres(records.database) && (await countOutdated(records)) === 0) await addWaiting();
      return rotate();
    },
  };
};

const inspectSite = async (dataDir: string) => {
  const records = await openSite(dataDir);
  const rows = await records.donatedTokens.all();
  const found = {
    secrets: rows.map((row) => openRow(records.vault, row)?.secret.reveal() ?? 'closed'),
    receipts: rows.map((row) => row.receipt_digest),
    kids: [...new Set(rows.map(({ kid }) => kid))],
    keys: records.vault.keys().map(({ kid }) => kid),
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

/** Fails at the n-th call, before anything is done. */
const failAt = <A extends unknown[], R>(work: (...args: A) => Promise<R>, n: number) => {
  let calls = 0;
  return async (...args: A): Promise<R> => {
    calls += 1;
    return calls === n ? killed() : work(...args);
  };
};

/** A server that has not noticed the new key yet. */
const storesInSecondPause = (server: Records, secret: string) => {
  let pauses = 0;
  return async (): Promise<void> => {
    pauses += 1;
    if (pauses === 2) await storeToken(server, secret, TOKENS);
  };
};

type Kill = readonly [when: string, deps: (records: Records, dataDir: string) => Partial<KeyRotationDeps>];

const SHARED_KILLS: readonly Kill[] = [
  [
    'before the server is told of the new key',
    ({ vault }) => ({ vault: { ...vault, reloadKeys: failAt(vault.reloadKeys, 2) } }),
  ],
  [
    'before the second batch',
    ({ donatedTokens }) => ({
      donatedTokens: { ...donatedTokens, reseal: failAt(donatedTokens.reseal, 2) },
    }),
  ],
];
const KILLS: readonly Kill[] = [
  [
    'before the new ring has its name',
    ({ vault }, dataDir) => ({
      vault: {
        ...vault,
        reloadKeys: async () => {
          writeFileSync(join(dataDir, 'keyring.json.new'), '{"v":1,"keys":[');
          killed();
        },
      },
    }),
  ],
  ['before the first batch, while the server looks', () => ({ pause: failAt(async () => {}, 1) })],
  ['after the last batch, before the second pass', () => ({ pause: failAt(async () => {}, 2) })],
  ...SHARED_KILLS,
];

describe.each([
  ['SQLite', null, KILLS],
  ['PostgreSQL', POSTGRES_MISSING, SHARED_KILLS],
] as const)('in %s', (dialect, missing, kills) => {
  const copy = useSites(dialect, missing);
  const it = test.skipIf(missing !== null);

  it.each(kills)('a rotation killed %s loses nothing and can be finished', async (_name, deps) => {
    using folder = await copy();
    const before = await inspectSite(folder.path);
    const records = await openSite(folder.path);
    const { rotate } = rotation(records, folder.path, deps(records, folder.path));
    await expect(rotate()).rejects.toThrow('killed');
    await records.close();
    const between = await inspectSite(folder.path);
    expect(between.secrets.toSorted()).toEqual(secrets.toSorted());

    const again = await openSite(folder.path);
    const report = await rotation(again, folder.path).rotate();
    await again.close();
    const after = await inspectSite(folder.path);
    expect(after.secrets.toSorted()).toEqual(secrets.toSorted());
    expect(after.receipts.toSorted()).toEqual(before.receipts.toSorted());
    expect(after.kids).toEqual([report.kid]);
    expect(after.keys.at(-1)).toBe(report.kid);
    expect(after.keys.slice(0, 1)).toEqual(before.keys);
  });

  it('a rotation finishes the last one instead of adding yet another key', async () => {
    using folder = await copy();
    const records = await openSite(folder.path);
    const { reseal } = records.donatedTokens;
    const half = { ...records.donatedTokens, reseal: failAt(reseal, 2) };
    await expect(rotation(records, folder.path, { donatedTokens: half }).rotate()).rejects.toThrow('killed');
    const report = await rotation(records, folder.path).rotate();
    expect(report).toMatchObject({ resumed: true, resealed: TOKENS - 50, unreadable: 0 });
    expect(records.vault.keys()).toHaveLength(2);
    expect(await rotation(records, folder.path).rotate()).toMatchObject({ resumed: false, resealed: TOKENS });
    expect(records.vault.keys()).toHaveLength(3);
    await records.close();
  });

  it.each([
    ['a new token', TOKENS, TOKENS + 1],
    // Of the bot's two rows one is kept.
    ['a token of a bot that has one', 7, TOKENS],
  ])(
    'a rotation catches what a server stores under the old key while it changes over: %s',
    async (_, bot, kept) => {
      using folder = await copy();
      const [server, records] = [await openSite(folder.path), await openSite(folder.path)];
      const pause = storesInSecondPause(server, mintToken(bot));
      await rotation(records, folder.path, { pause }).rotate();
      await Promise.all([server.close(), records.close()]);
      const after = await inspectSite(folder.path);
      expect(new Set(after.secrets)).toEqual(new Set([...secrets, mintToken(bot)]));
      expect([after.secrets.length, after.kids.length]).toEqual([kept, 1]);
    },
  );

  it('no key is retired under which a server stores one more token before it has noticed', async () => {
    using folder = await copy();
    const [server, records] = [await openSite(folder.path), await openSite(folder.path)];
    const [old] = records.vault.keys();
    await rotation(records, folder.path).rotate();
    const pause = () => storeToken(server, mintToken(TOKENS), TOKENS);
    expect(await rotation(records, folder.path, { pause }).retire(old?.kid ?? '')).toBe('in-use');
    await Promise.all([server.close(), records.close()]);
    expect((await inspectSite(folder.path)).secrets).not.toContain('closed');
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
    const report = { resumed: false, resealed: TOKENS - 1, unreadable: 1 };
    for (const _ of [1, 2]) expect(await rotation(records, folder.path).rotate()).toMatchObject(report);
    expect(await rotation(records, folder.path).retire(row?.kid ?? '')).toBe('in-use');
    await records.close();
  });

  it('a rotation tells how far it is, and retires only a key that is neither the newest nor in use', async () => {
    using folder = await copy();
    const records = await openSite(folder.path);
    const old = records.vault.keys()[0]?.kid ?? '';
    const progress: string[] = [];
    const pauses: number[] = [];
    const { rotate, retire } = rotation(records, folder.path, {
      onProgress: (done, total) => void progress.push(`${done}/${total}`),
      pause: async (ms) => void pauses.push(ms),
    });
    expect(await retire('0'.repeat(16))).toBe('unknown');
    expect(await retire(old)).toBe('active');
    await rotate();
    expect(progress.slice(0, 3)).toEqual([50, TOKENS, TOKENS].map((done) => `${done}/${TOKENS}`));
    expect(pauses).toEqual([2_000, 2_000, 2_000, 2_000]);
    expect(await retire(old, { dryRun: true })).toBe('retired');
    expect([records.vault.keys().length, pauses.length]).toEqual([2, 4]);
    expect(await retire(old)).toBe('retired');
    expect(records.vault.keys()).toHaveLength(1);
    expect(records.vault.keysInFile()).toHaveLength(1);
    const known = await records.database.selectFrom('vault_key').select('kid').execute();
    expect(known).toHaveLength(2);
    expect(known).not.toContainEqual({ kid: old });
    await records.close();
  });

  it('a rotation has one new key wait, however often it is asked for', async () => {
    using folder = await copy();
    const records = await openSite(folder.path);
    const { addWaiting } = rotation(records, folder.path);
    const kid = await addWaiting();
    expect(await addWaiting()).toBe(kid);
    expect(records.vault.keysInFile()).toEqual([records.vault.keys()[0]?.kid, kid]);
    await records.close();
  });
});
