import type { Browser } from '../browser.ts';

/** Long enough for any browser to start the download. */
const KEPT_MS = 60_000;

export const download = (blob: Blob, name: string, { after }: Pick<Browser, 'after'>): void => {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  after(KEPT_MS, () => URL.revokeObjectURL(href));
};
