import manifest from '#package.json' with { type: 'json' };
import type { Database } from '#server/storage/database.ts';
import { isPostgres } from '#server/storage/sql-dialect.ts';
import type { System } from '#server/system.ts';
import { createNodeStore } from './node-store.ts';

export type NodeRegisterDeps = {
  readonly system: System;
  readonly database: Database;
  readonly name: string;
  readonly vault: { readonly keysInFile: () => readonly string[] };
  readonly onFailure: (error: unknown) => void;
};

const RENEW_MS = 2_000;

/** In a folder a server is alone: the folder is locked. */
const ALONE = { join: async () => {}, leave: async () => {}, isFirst: async () => true };

/** Keeps this server on the list of those that run on the same records. */
export const registerNode = (deps: NodeRegisterDeps) => {
  const { system, database, name, vault, onFailure } = deps;
  if (!isPostgres(database)) return ALONE;
  const id = system.random.uuid();
  const store = createNodeStore(database);
  let renewing: Promise<void> = Promise.resolve();
  let cancel = (): void => {};

  const put = () => store.put({ id, name, kids: vault.keysInFile().join(' '), version: manifest.version });
  const renewLater = (): void => {
    cancel = system.clock.after(RENEW_MS, () => {
      renewing = put().catch(onFailure).then(renewLater);
    });
  };

  return {
    join: async (): Promise<void> => {
      await put();
      renewLater();
    },
    leave: async (): Promise<void> => {
      cancel();
      await renewing;
      cancel();
      await store.remove(id).catch(onFailure);
    },
    /** Whether it is the one that speaks for all. */
    isFirst: async () => (await store.live())[0]?.id === id,
  };
};
