import { cpSync } from 'node:fs';
import { parseConfig } from '#server/config.ts';
import { openTreasury } from '#server/open-treasury.ts';
import { systemOfThisMachine } from '#server/system.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

export type StoredTokens = {
  /** Tokens that a start would put into the pool. */
  readonly kept: ReadonlySet<string>;
  /** Rows that do not open: damaged, or stored by half. */
  readonly unreadable: number;
  /** How many the platform has taken from us. */
  readonly retired: number;
};

/** What a data folder holds, read from a copy so that the next start finds all as the crash has left it. */
export const readStoredTokens = async (dataDir: string): Promise<StoredTokens> => {
  using copy = temporaryFolder();
  cpSync(dataDir, copy.path, { recursive: true });
  const parsed = parseConfig({ DATA_DIR: copy.path }, () => '');
  const treasury = parsed.ok ? await openTreasury(parsed.config, systemOfThisMachine) : null;
  if (treasury === null) throw new TypeError('There is no treasury.');
  const { store, vault, withdrawn, retiredBefore } = treasury;
  const kept = new Set<string>();
  let unreadable = 0;
  for (const { id, kid, wrapped_key, ciphertext } of await store.all()) {
    const sealed = { kid, wrappedKey: Buffer.from(wrapped_key), ciphertext: Buffer.from(ciphertext) };
    const token = vault.open(id, sealed);
    if (token === null) unreadable += 1;
    else if (!withdrawn.has(id)) kept.add(token);
  }
  await treasury.close();
  return { kept, unreadable, retired: retiredBefore.count };
};
