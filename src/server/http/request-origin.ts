import type { IncomingHttpHeaders } from 'node:http';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Browsers say where a request comes from; other clients do not. `same-site` would be another host of our domain. */
const OWN_SITES = new Set<string | string[] | undefined>([undefined, 'same-origin', 'none']);

export const isFromOwnSite = ({ 'sec-fetch-site': site }: Headers): boolean => OWN_SITES.has(site);

/** Whether the request's `Origin`, if it has one, is the site's address or the requested host. */
export const createOriginCheck = (publicUrl: string): ((headers: IncomingHttpHeaders) => boolean) => {
  const publicOrigin = new URL(publicUrl).origin;
  return ({ origin, host, 'sec-fetch-site': site }) =>
    origin === undefined ||
    origin === publicOrigin ||
    (host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)) ||
    // Some browsers hide the origin, but still say that it is ours.
    (origin === 'null' && site === 'same-origin');
};
