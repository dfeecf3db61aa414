import { describe, expect, test } from 'vitest';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { EXIT } from '#server/operator-error.ts';
import { useDialects, type Dialect } from '#test/support/databases.ts';
import { createVaultKeyStore } from './open-vault.ts';
import { createDonatedTokenStore } from './donated-tokens.ts';

const row = (name: string, fields: Partial<DonatedTokenRow> = {}): DonatedTokenRow => ({
  id: `id-${name}`,
  kid: 'k1',
  wrapped_key: new Uint8Array([1, 2, 3]),
  ciphertext: new Uint8Array([4, 5, 6, 0, 255]),
  fingerprint: `token-${name}`,
  bot_fingerprint: `bot-${name}`,
  receipt_digest: `receipt-${name}`,
  created_day: '2026-11-15',
  platform: 'sandbox',
  ...fields,
});

/** As two nodes have it. Two connections to SQLite in one process would keep each other waiting for ever. */
const openStores = async ({ name, create }: Dialect) => {
  const test = await create();
  const { database } = await test.open();
  await createVaultKeyStore(database).add('k1', 'check');
  const store = createDonatedTokenStore(database);
  const other = name === 'SQLite' ? store : createDonatedTokenStore((await test.open()).database);
  return { store, other, [Symbol.asyncDispose]: test[Symbol.asyncDispose] };
};
/** Bytes are bytes, whatever kind of array the driver gives them in. */
const plain = (found: DonatedTokenRow): DonatedTokenRow => ({
  ...found,
  wrapped_key: new Uint8Array(found.wrapped_key),
  ciphertext: new Uint8Array(found.ciphertext),
});
const byId = (rows: DonatedTokenRow[]) => rows.map(plain).toSorted((a, b) => (a.id < b.id ? -1 : 1));
const read = async (rows: AsyncIterable<DonatedTokenRow>) => {
  const all: DonatedTokenRow[] = [];
  for await (const one of rows) all.push(one);
  return byId(all);
};

describe.each(useDialects())('on $name', (dialect) => {
  const it = (name: string, work: (stores: Awaited<ReturnType<typeof openStores>>) => Promise<void>) =>
    test.skipIf(dialect.missing !== null)(name, async () => {
      await using stores = await openStores(dialect);
      await work(stores);
    });

  it('the store keeps one token of a bot, the newest', async ({ store }) => {
    await store.save(row('a'));
    const reset = row('reset', { bot_fingerprint: 'bot-a' });
    await store.save(reset);
    expect(byId(await store.all())).toEqual([reset]);
  });

  it('the store refuses a second id or receipt, and then still has all it had', async ({ store }) => {
    for (const name of ['a', 'b']) await store.save(row(name));
    for (const column of ['id', 'receipt_digest'] as const) {
      const clash = row('c', { bot_fingerprint: 'bot-b', [column]: row('a')[column] });
      await expect(store.save(clash)).rejects.toSatisfy(isStorageFault);
      expect(byId(await store.all())).toEqual([row('a'), row('b')]);
    }
  });

  it('the store keeps the first of two rows with the same token, at either node', async ({
    store,
    other,
  }) => {
    expect(await store.save(row('a'))).toBe('saved');
    const second = row('b', { fingerprint: 'token-a', bot_fingerprint: 'bot-a' });
    expect(await other.save(second)).toBe('known');
    expect(byId(await store.all())).toEqual([row('a')]);
  });

  it('the store keeps one of many rows with the same token, or of one bot', async ({ store, other }) => {
    const nodeOf = (n: number) => (n % 2 === 0 ? store : other);
    const saved = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        nodeOf(n).save(row(`${n}`, { fingerprint: 'same', bot_fingerprint: 'bot' })),
      ),
    );
    expect(saved.filter((outcome) => outcome === 'saved')).toHaveLength(1);
    const reset = await Promise.all(
      Array.from({ length: 8 }, (_, n) => nodeOf(n).save(row(`reset-${n}`, { bot_fingerprint: 'bot' }))),
    );
    expect(reset).toEqual(Array(8).fill('saved'));
    expect(await store.all()).toHaveLength(1);
  });

  it('the store saves nothing under a key that is not the active one', async ({ store }) => {
    await expect(store.save(row('a', { kid: 'k2' }))).rejects.toMatchObject({
      exitCode: EXIT.keyringChanged,
      message:
        'The key of the vault was changed while this server ran: copy the newest keyring to this machine, and restart it.',
    });
    expect(await store.all()).toEqual([]);
  });

  it('the store tells which rows there are, and reads those asked for', async ({ store }) => {
    for (const name of ['a', 'b', 'c']) await store.save(row(name));
    expect(await store.outlines()).toContainEqual({ id: 'id-b', platform: 'sandbox', kid: 'k1' });
    const wanted = ['id-b', 'id-gone', 'id-c', ...Array.from({ length: 1_200 }, (_, n) => `no-${n}`)];
    expect(await read(store.withIds(wanted))).toEqual([row('b'), row('c')]);
    expect(await read(store.withIds([]))).toEqual([]);
  });

  it('the store withdraws a row as often as asked, at either node', async ({ store, other }) => {
    for (const name of ['a', 'b']) await store.save(row(name));
    await Promise.all([store.withdraw('id-a'), other.withdraw('id-a'), store.withdraw('id-nobody')]);
    expect(byId(await store.all())).toEqual([row('b')]);
  });

  it('the store finds rows by what digests they have', async ({ store }) => {
    for (const name of ['a', 'b']) await store.save(row(name));
    expect((await store.find('fingerprint', 'token-b'))?.id).toBe('id-b');
    expect((await store.find('receipt_digest', 'receipt-a'))?.id).toBe('id-a');
    expect(await store.find('receipt_digest', 'token-a')).toBeUndefined();
  });
});
