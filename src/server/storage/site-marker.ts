import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { createFile } from './durable-file.ts';
import { nullOnFileError } from './storage-fault.ts';

type SitePlace = { readonly dataDir: string; readonly keyringFile: string };

/** Shows that there is a site even if its folder was moved or is not mounted. Null: the keyring outside of it does. */
export const markerOf = ({ dataDir, keyringFile }: SitePlace): string | null =>
  relative(resolve(dataDir), resolve(keyringFile)).startsWith('..') ? null : `${resolve(dataDir)}.site`;

export const canMark = (marker: string): boolean =>
  nullOnFileError(() => {
    mkdirSync(dirname(marker), { recursive: true, mode: 0o700 });
    accessSync(dirname(marker), constants.W_OK);
  }) !== null;

export const markSite = (marker: string | null): void => {
  if (marker !== null && !existsSync(marker) && canMark(marker))
    createFile(marker, 'There is a Whoflake site in the folder of this name without .site.\n');
};
