import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { openRecords } from '#server/open-records.ts';
import { realSystem } from '#server/system.ts';
import { openRow } from '#server/vault/donated-tokens.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { configOf } from '#test/support/well-formed.ts';

export type StoredTokens = {
  /** Tokens that a start would put into the pool. */
  readonly kept: ReadonlySet<string>;
  /** Rows that do not open: damaged, or stored by half. */
  readonly unreadable: number;
  /** How many of the donated ones the platform has taken from us. */
  readonly retired: number;
};

/**
 * What a data folder holds, read from a copy so that the next start finds all as the crash has left it. `env` says
 * where the rest is, if not in there.
 */
export const readStoredTokens = async (
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<StoredTokens> => {
  using copy = temporaryFolder();
  // In a folder of its own: beside it the server leaves a note.
  const copied = join(copy.path, 'data');
  cpSync(dataDir, copied, { recursive: true });
  const config = configOf({ ...env, DATA_DIR: copied });
  const { donatedTokens, vault, withdrawn, database, close } = await openRecords(config, realSystem, {
    isServer: true,
  });
  const kept = new Set<string>();
  let unreadable = 0;
  for (const row of await donatedTokens.all()) {
    const token = openRow(vault, row);
    if (token === null) unreadable += 1;
    else if (!withdrawn.has(row.id)) kept.add(token.secret.reveal());
  }
  const retired = await database
    .selectFrom('retirement')
    .where('token_id', 'not like', 'own:%')
    .selectAll()
    .execute();
  await close();
  return { kept, unreadable, retired: retired.length };
};
