import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { openRecords, type Records } from '#server/open-records.ts';
import { isPostgres } from '#server/storage/sql-dialect.ts';
import { realSystem as system } from '#server/system.ts';
import { countOutdated, createKeyRotation, type KeyRotationDeps } from '#server/vault/key-rotation.ts';
import { openRow, sealRow } from '#server/vault/sealed-row.ts';
import { usePostgres } from './databases.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { configOf, tokenOf } from './well-formed.ts';

/** More than one batch. */
export const TOKENS = 51;
export const { mintToken } = createSandbox();
export const secrets = Array.from({ length: TOKENS }, (_, n) => mintToken(n));

/** By data folder, where the records are in PostgreSQL. */
const databaseUrls = new Map<string, string>();

export const openSite = (dataDir: string, { isNewSite = false } = {}): Promise<Records> => {
  const url = databaseUrls.get(dataDir);
  const config = configOf({ DATA_DIR: dataDir, ...(url === undefined ? {} : { DATABASE_URL: url }) });
  return openRecords(config, system, { isNewSite: isNewSite || url === undefined });
};

export const storeToken = async (
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

export const rotation = (records: Records, dataDir: string, deps: Partial<KeyRotationDeps> = {}) => {
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

export const inspectSite = async (dataDir: string) => {
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
export const useSites = (dialect: 'SQLite' | 'PostgreSQL', missing: string | null) => {
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
