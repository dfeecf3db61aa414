import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '#server/storage/database.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createKeyCheckStore } from './key-check-store.ts';
import { OPT_OUT_KID } from './vault.ts';

it('needs the keys that tokens are sealed with, and that of the opt-outs once there is one', async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(join(folder.path, 'db'));
  const { needed, save } = createKeyCheckStore(database);
  await save(new Map([['k1', 'old']]));
  await save(
    new Map([
      ['k1', 'new'],
      ['k2', 'other'],
      [OPT_OUT_KID, 'hidden'],
    ]),
  );
  expect(await needed()).toEqual(new Map());

  await database
    .insertInto('donated_token')
    .values({
      id: 'id',
      kid: 'k1',
      wrapped_key: new Uint8Array([1]),
      ciphertext: new Uint8Array([1]),
      fingerprint: 'f',
      bot_fingerprint: 'b',
      receipt_digest: 'r',
      created_day: '2026-11-15',
    })
    .execute();
  expect(await needed()).toEqual(new Map([['k1', 'new']]));

  await database.insertInto('opt_out').values({ digest: 'd', created_day: '2026-11-15' }).execute();
  expect(await needed()).toEqual(
    new Map([
      ['k1', 'new'],
      [OPT_OUT_KID, 'hidden'],
    ]),
  );
  await database.destroy();
});
