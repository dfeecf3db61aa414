import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#server/storage/database.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createDonatedTokenStore } from './donated-token-store.ts';

const row = (name: string, fields: Partial<DonatedTokenRow> = {}): DonatedTokenRow => ({
  id: `id-${name}`,
  kid: 'k1',
  wrapped_key: new Uint8Array([1, 2, 3]),
  ciphertext: new Uint8Array([4, 5, 6, 0, 255]),
  fingerprint: `token-${name}`,
  bot_fingerprint: `bot-${name}`,
  receipt_digest: `receipt-${name}`,
  created_day: '2026-11-15',
  format: 2,
  ...fields,
});

const openStore = async () => {
  const folder = temporaryFolder();
  const database = await openDatabase(join(folder.path, 'db'));
  return {
    store: createDonatedTokenStore(database),
    [Symbol.asyncDispose]: async () => {
      await database.destroy();
      folder[Symbol.dispose]();
    },
  };
};

describe('the store of donated tokens', () => {
  it('gives back what it was given, by each digest', async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.save(row('a'));
    await store.save(row('b'));
    expect(await store.all()).toEqual([row('a'), row('b')]);
    expect(await store.find('fingerprint', ['token-a'])).toEqual(row('a'));
    expect(await store.find('bot_fingerprint', ['bot-b'])).toEqual(row('b'));
    expect(await store.find('receipt_digest', ['receipt-b'])).toEqual(row('b'));
    expect(await store.find('receipt_digest', ['token-a'])).toBeUndefined();
    expect(await store.find('fingerprint', ['no', 'token-b'])).toEqual(row('b'));
  });

  it('keeps one token of a bot, the newest', async () => {
    await using opened = await openStore();
    const { store } = opened;
    await store.save(row('a'));
    const reset = row('reset', { bot_fingerprint: 'bot-a' });
    await store.save(reset);
    expect(await store.all()).toEqual([reset]);
    // Its old row may carry the digest of an older key.
    const again = row('again', { bot_fingerprint: 'bot-a-newer-key' });
    await store.save(again, ['bot-a-newer-key', 'bot-a']);
    expect(await store.all()).toEqual([again]);
  });

  it.each(['id', 'fingerprint', 'receipt_digest'] as const)(
    'refuses a second %s and then still has all it had',
    async (column) => {
      await using opened = await openStore();
      const { store } = opened;
      await store.save(row('a'));
      await store.save(row('b'));
      const clash = row('c', { bot_fingerprint: 'bot-b', [column]: row('a')[column] });
      await expect(store.save(clash)).rejects.toThrow('UNIQUE');
      expect(await store.all()).toEqual([row('a'), row('b')]);
    },
  );

  it('leaves alone what another process has resealed or deleted meanwhile', async () => {
    await using opened = await openStore();
    const { store } = opened;
    for (const name of ['a', 'b', 'c']) await store.save(row(name));
    const resealed = (name: string, fill: number) => ({
      from: row(name),
      to: row(name, { wrapped_key: new Uint8Array([fill]) }),
    });
    expect(await store.reseal([resealed('a', 7)])).toBe(1);
    await store.remove('id-b');
    expect(await store.reseal([resealed('a', 8), resealed('b', 8), resealed('c', 8)])).toBe(1);
    expect(await store.all()).toEqual([resealed('a', 7).to, resealed('c', 8).to]);
  });

  it('forgets a removed token', async () => {
    await using opened = await openStore();
    const { store } = opened;
    for (const name of ['a', 'b']) await store.save(row(name));
    await store.remove('id-a');
    expect(await store.all()).toEqual([row('b')]);
  });
});
