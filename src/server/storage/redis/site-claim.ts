import type { Reply } from './redis-connection.ts';
import { RedisProblem } from './redis-problem.ts';
import type { Session } from './session.ts';
import { storeKey, type StoreAddress } from './store-address.ts';

/** `id` tells sites apart; `url` tells the operator which one it is. */
export type Site = { readonly id: string; readonly url: string };

/** Names how the tokens of a site are kept there: see `platform/permit-store/epoch.ts`. */
export const LAYOUT_KEY = '{t}layout';

const holderKey = (address: StoreAddress): string => storeKey(address, 'site');

/**
 * The first node claims the store for its site; nodes of another site reject. To be called repeatedly: an emptied store
 * belongs to nobody.
 */
export const claimStore = async ({ send }: Session, address: StoreAddress, { id, url }: Site) =>
  refuseOtherSite(await send('SET', holderKey(address), `${id} ${url}`, 'NX', 'GET'), id);

/** The site that the store belongs to; null if none has claimed it. */
export const readHolder = ({ send }: Pick<Session, 'send'>, address: StoreAddress): Promise<Reply> =>
  send('GET', holderKey(address));

/** How the tokens are kept there; null if none are. */
export const readLayout = ({ send }: Pick<Session, 'send'>, address: StoreAddress): Promise<Reply> =>
  send('GET', storeKey(address, LAYOUT_KEY));

export const refuseOtherSite = (holder: Reply, siteId: string): void => {
  const [id = '', url = ''] = String(holder ?? siteId).split(' ');
  if (id === siteId) return;
  throw new RedisProblem(
    `The shared store is in use by another site (${url}, ${id}; this one is ${siteId})`,
    'give each its own store, database number or ?prefix=name in SHARED_STATE_URL; if that site is gone, empty the store.',
  );
};
