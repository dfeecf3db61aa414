import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { createFile } from './durable-file.ts';
import { isStorageFault } from './storage-fault.ts';

type SitePlace = { readonly dataDir: string; readonly keyringFile: string };

const isKeyringInside = ({ dataDir, keyringFile }: SitePlace): boolean =>
  !relative(resolve(dataDir), resolve(keyringFile)).startsWith('..');

/** Shows that there is a site even if its folder was moved or is not mounted. */
export const markerOf = (place: SitePlace): string =>
  isKeyringInside(place) ? `${resolve(place.dataDir)}.site` : place.keyringFile;

/** False: a new site in the folder would be forgotten together with the folder. */
export const canMark = (place: SitePlace): boolean => {
  try {
    if (isKeyringInside(place)) accessSync(dirname(markerOf(place)), constants.W_OK);
    return true;
  } catch (error) {
    // A folder that is not there yet is made with the records.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
};

export const markSite = (place: SitePlace): void => {
  const marker = markerOf(place);
  if (!isKeyringInside(place) || existsSync(marker)) return;
  try {
    createFile(
      marker,
      `A Whoflake site has its records in ${resolve(place.dataDir)}. While this file is here, the server does not begin a new one.\n`,
    );
  } catch (error) {
    // A site that was moved into a folder of somebody else's.
    if (!isStorageFault(error)) throw error;
  }
};
