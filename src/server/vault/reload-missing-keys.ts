import type { DonatedTokenStore } from './donated-token-store.ts';
import type { OpenedVault } from './open-vault.ts';

export type RotatingVault = {
  readonly vault: Pick<OpenedVault, 'keys' | 'reloadKeys'>;
  readonly donatedTokens: Pick<DonatedTokenStore, 'countByKey'>;
};

/**
 * Reads the ring again if rows are sealed with keys that are not on it, as right after a rotation. True if it has more
 * of them now: then a row that was not found before may be found.
 */
export const reloadMissingKeys = async ({ vault, donatedTokens }: RotatingVault): Promise<boolean> => {
  const missing = async (): Promise<number> => {
    const onRing = new Set(vault.keys().map(({ kid }) => kid));
    return [...(await donatedTokens.countByKey()).keys()].filter((kid) => !onRing.has(kid)).length;
  };
  const before = await missing();
  if (before === 0) return false;
  await vault.reloadKeys();
  return (await missing()) < before;
};
