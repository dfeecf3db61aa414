import { RedisProblem } from '#server/storage/redis/redis-problem.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import { describeStore, type StoreAddress } from '#server/storage/redis/store-address.ts';
import type { LiveNode } from './node-store.ts';

export type StoreAgreementDeps = {
  /** This node's, for the operator. */
  readonly name: string;
  readonly address: StoreAddress;
  readonly store: Pick<SharedStore, 'onSession' | 'everySecond' | 'problem'>;
};

/** The part of a node's row that says which store it uses; null while it uses none. */
export type NodeStoreColumns = Pick<LiveNode, 'store_id' | 'store_address'>;

export const NO_STORE: NodeStoreColumns = { store_id: null, store_address: null };

/** In a failover, nodes move to the new store one after the other; a node that keeps its own for so many renewals stays there. */
const STEADY_RENEWALS = 3;

type Sighting = Pick<LiveNode, 'store_id' | 'seen'> & { readonly renewals: number };

/**
 * Nodes on the same records must use one store: with two, each would spend the whole budget of every token. A store is
 * known by its process, because one store may have two addresses, and one address may lead to two stores.
 */
export const createStoreAgreement = ({ name, address, store }: StoreAgreementDeps) => {
  const store_address = describeStore(address);
  let storeId = '';
  let problem: RedisProblem | null = null;
  let sightings: ReadonlyMap<string, Sighting> = new Map();

  const refuse = async (): Promise<void> => {
    if (problem !== null) throw problem;
  };
  // Each new session may be with another store: an address that has moved is found in this way.
  store.onSession(async ({ runId }) => {
    const found = `${runId}/${address.database}/${address.prefix}`;
    if (found !== storeId) [storeId, problem, sightings] = [found, null, new Map()];
    await refuse();
  });
  store.everySecond(refuse);

  const isInUse = (): boolean => problem !== null || store.problem() === null;

  const sight = ({ id, store_id, seen }: LiveNode): [string, Sighting] => {
    const before = sightings.get(id);
    if (before?.store_id !== store_id) return [id, { store_id, seen, renewals: 0 }];
    return [id, { store_id, seen, renewals: before.renewals + Number(before.seen !== seen) }];
  };

  return {
    columns: (): NodeStoreColumns => (isInUse() ? { store_id: storeId, store_address } : NO_STORE),
    /** False if others lead with another store. Once that is certain, this node does not use its own. */
    compare: (nodes: readonly LiveNode[]): boolean => {
      if (!isInUse()) return true;
      const rivals = nodes.filter(({ store_id }) => store_id !== null && store_id !== storeId);
      sightings = new Map(rivals.map(sight));
      const leading = rivals.length === 0 ? storeId : leadingStore(nodes);
      const leader = rivals.find(
        ({ id, store_id }) => store_id === leading && (sightings.get(id)?.renewals ?? 0) >= STEADY_RENEWALS,
      );
      problem = leader === undefined ? null : storesDiffer({ name, store_address }, leader);
      return leading === storeId;
    },
    refuse,
  };
};

export type StoreAgreement = ReturnType<typeof createStoreAgreement>;

/** The store of most nodes; in a tie, that of the node whose id comes first. */
export const leadingStore = (nodes: readonly LiveNode[]): string | null => {
  const users = nodes.filter(({ store_id }) => store_id !== null).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const groups = [...Map.groupBy(users, ({ store_id }) => store_id)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
};

type Named = Pick<LiveNode, 'name' | 'store_address'>;

export const storesDiffer = (one: Named, leader: Named): RedisProblem =>
  new RedisProblem(
    `${one.name} uses the shared store ${one.store_address}, but ${leader.name}, on the same records, uses another one (${leader.store_address})`,
    'set the same SHARED_STATE_URL on all nodes, and see that it leads to one store.',
  );
