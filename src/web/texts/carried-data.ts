import type { Site } from '#shared/site.ts';
import type { CarriedTexts } from './text-store.ts';

export type CarriedData = { readonly site: Site; readonly texts: CarriedTexts };

export const DATA_ELEMENT_ID = 'data';

/** JSON that cannot end the script element it is put into. */
export const serializeCarried = (data: CarriedData): string =>
  JSON.stringify(data).replaceAll('<', '\\u003c');

export const readCarried = (page: Document): CarriedData => {
  const json = page.getElementById(DATA_ELEMENT_ID)?.textContent;
  if (!json) throw new Error('The page carries no data.');
  return JSON.parse(json) as CarriedData;
};
