import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { parseConfig } from '#server/config.ts';
import { openRecords, type Records } from '#server/open-records.ts';
import { isPostgres } from '#server/storage/engine.ts';
import { realSystem as system } from '#server/system.ts';
import { usePostgres } from '#test/support/databases.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { parseBotToken } from '#server/platform/bot-token.ts';
import { createKeyRotation, type KeyRotationDeps } from './key-rotation.ts';
import { countOutdated } from './reseal.ts';
import { openRow, sealRow } from './sealed-row.ts';

/** More than two batches. */
const TOKENS = 250;
const { mintToken } = createSandbox();
const secrets = Array.from({ length: TOKENS }, (_, n) => mintToken(n));

const tokenOf = (secret: string) => {
  const parsed = parseBotToken(secret);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.token;
};

/** By data folder, where the records are in PostgreSQL. */
const databaseUrls = new Map<string, string>();

const open = (dataDir: string, { isNewSite = false } = {}): Promise<Records> => {
  const url = databaseUrls.get(dataDir);
  const parsed = parseConfig(
    { DATA_DIR: dataDir, ...(url === undefined ? {} : { DATABASE_URL: url }) },
    () => '',
  );
  if (!parsed.ok) throw new Error(parsed.problems.join(' '));
  return openRecords(parsed.config, system, { isNewSite });
};

const storeToken = async (
  { donatedTokens, vault }: Records,
  secret: string,
  number: number,
): Promise<void> => {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const identity = { id, receipt_digest: `${number}`, created_day: '2026-01-01' };
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
    retire,
    /** In PostgreSQL a new key is put on the ring first, in a step of its own. */
    rotate: async () => {
      if (isPostgres(records.database) && (await countOutdated(records)) === 0) await addWaiting();
      return rotate();
    },
  };
};

/** What a fresh start would find. */
const inspect = async (dataDir: string) => {
  const records = await open(dataDir);
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

const killed = () => {
  throw new TypeError('killed');
};

/** Runs and then fails, at the n-th call. */
const failAt = <A extends unknown[], R>(
  work: (...args: A) => Promise<R>,
  n: number,
  when: 'before' | 'after',
) => {
  let calls = 0;
  return async (...args: A): Promise<R> => {
    calls += 1;
    if (calls === n && when === 'before') killed();
    const result = await work(...args);
    if (calls === n && when === 'after') killed();
    return result;
  };
};

type Kill = readonly [name: string, deps: (records: Records, dataDir: string) => Partial<KeyRotationDeps>];

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
  [
    'before the server is told of the new key',
    ({ vault }) => ({ vault: { ...vault, reloadKeys: failAt(vault.reloadKeys, 2, 'before') } }),
  ],
  ['while the server looks', () => ({ pause: failAt(async () => {}, 1, 'before') })],
  ...[1, 2, 3].flatMap((batch): Kill[] => [
    [
      `before batch ${batch}`,
      ({ donatedTokens }) => ({
        donatedTokens: { ...donatedTokens, reseal: failAt(donatedTokens.reseal, batch, 'before') },
      }),
    ],
    [
      `after batch ${batch}`,
      ({ donatedTokens }) => ({
        donatedTokens: { ...donatedTokens, reseal: failAt(donatedTokens.reseal, batch, 'after') },
      }),
    ],
  ]),
  ['before the second pass', () => ({ pause: failAt(async () => {}, 2, 'before') })],
];

const postgres = usePostgres();

describe.each([
  ['SQLite', null],
  ['PostgreSQL', POSTGRES_MISSING],
])('a rotation of keys in %s', (engine, missing) => {
  const template = temporaryFolder();
  beforeAll(async () => {
    if (missing !== null) return;
    if (engine === 'PostgreSQL') databaseUrls.set(template.path, await (await postgres()).newDatabase());
    const records = await open(template.path, { isNewSite: true });
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

  it.skipIf(missing !== null).each(KILLS)(
    'killed %s loses nothing and can be finished',
    async (_name, deps) => {
      using folder = await copy();
      const before = await inspect(folder.path);
      const records = await open(folder.path);
      await expect(rotation(records, folder.path, deps(records, folder.path)).rotate()).rejects.toThrow(
        'killed',
      );
      await records.close();
      const between = await inspect(folder.path);
      expect(between.secrets.toSorted()).toEqual(secrets.toSorted());

      const again = await open(folder.path);
      const report = await rotation(again, folder.path).rotate();
      await again.close();
      const after = await inspect(folder.path);
      expect(after.secrets.toSorted()).toEqual(secrets.toSorted());
      expect(after.receipts.toSorted()).toEqual(before.receipts.toSorted());
      expect(after.kids).toEqual([report.kid]);
      expect(after.keys.at(-1)).toBe(report.kid);
      expect(after.keys.slice(0, 1)).toEqual(before.keys);
    },
  );

  it.skipIf(missing !== null)('finishes the last one instead of adding yet another key', async () => {
    using folder = await copy();
    const records = await open(folder.path);
    const { reseal } = records.donatedTokens;
    const half = { ...records.donatedTokens, reseal: failAt(reseal, 2, 'before') };
    await expect(rotation(records, folder.path, { donatedTokens: half }).rotate()).rejects.toThrow('killed');
    const report = await rotation(records, folder.path).rotate();
    expect(report).toMatchObject({ resumed: true, resealed: TOKENS - 100, unreadable: 0 });
    expect(records.vault.keys()).toHaveLength(2);
    expect(await rotation(records, folder.path).rotate()).toMatchObject({ resumed: false, resealed: TOKENS });
    expect(records.vault.keys()).toHaveLength(3);
    await records.close();
  });

  it.skipIf(missing !== null)(
    'catches what a server stores under the old key while it changes over',
    async () => {
      using folder = await copy();
      const [server, records] = [await open(folder.path), await open(folder.path)];
      let pauses = 0;
      const pause = async () => {
        pauses += 1;
        if (pauses === 2) await storeToken(server, mintToken(TOKENS), TOKENS);
      };
      expect(await rotation(records, folder.path, { pause }).rotate()).toMatchObject({
        resealed: TOKENS + 1,
      });
      await Promise.all([server.close(), records.close()]);
      expect((await inspect(folder.path)).kids).toHaveLength(1);
    },
  );

  it.skipIf(missing !== null)(
    'keeps one row of a bot that a server which did not know the new key has stored twice',
    async () => {
      using folder = await copy();
      const [server, records] = [await open(folder.path), await open(folder.path)];
      let pauses = 0;
      const pause = async () => {
        pauses += 1;
        if (pauses === 2) await storeToken(server, mintToken(7), TOKENS);
      };
      await rotation(records, folder.path, { pause }).rotate();
      await Promise.all([server.close(), records.close()]);
      const after = await inspect(folder.path);
      expect(after.secrets.toSorted()).toEqual(secrets.toSorted());
      expect(after.kids).toHaveLength(1);
    },
  );

  it.skipIf(missing !== null)(
    'retires no key under which a server stores one more token before it has noticed',
    async () => {
      using folder = await copy();
      const [server, records] = [await open(folder.path), await open(folder.path)];
      const [old] = records.vault.keys();
      await rotation(records, folder.path).rotate();
      const pause = () => storeToken(server, mintToken(TOKENS), TOKENS);
      expect(await rotation(records, folder.path, { pause }).retire(old?.kid ?? '')).toBe('in-use');
      await Promise.all([server.close(), records.close()]);
      expect((await inspect(folder.path)).secrets).not.toContain('closed');
    },
  );

  it.skipIf(missing !== null)('leaves rows that no key opens, and is not held up by them', async () => {
    using folder = await copy();
    const records = await open(folder.path);
    const [row] = await records.donatedTokens.all();
    await records.database
      .updateTable('donated_token')
      .set({ ciphertext: new Uint8Array(40) })
      .where('id', '=', row?.id ?? '')
      .execute();
    for (const _ of [1, 2])
      expect(await rotation(records, folder.path).rotate()).toMatchObject({
        resumed: false,
        resealed: TOKENS - 1,
        unreadable: 1,
      });
    expect(await rotation(records, folder.path).retire(row?.kid ?? '')).toBe('in-use');
    await records.close();
  });
});
