import type { Site } from '#shared/site.ts';

/** The element of the page's head that carries the site's settings to the browser. */
export const SITE_ELEMENT_ID = 'site';

/** JSON that cannot end the script element it is put into. */
export const serializeSite = (site: Site): string => JSON.stringify(site).replaceAll('<', '\\u003c');

export const readSite = (page: Document): Site => {
  const json = page.getElementById(SITE_ELEMENT_ID)?.textContent;
  if (!json) throw new Error('The page carries no site settings.');
  return JSON.parse(json) as Site;
};
