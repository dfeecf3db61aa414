import { expect, it } from 'vitest';
import { createFakeSessions } from '#test/support/fake-sessions.ts';
import { storeAddress } from '#test/support/shared-store.ts';
import type { LiveNode } from './node-store.ts';
import { createStoreAgreement } from './store-agreement.ts';

let seconds = 0;

/** A node that uses the store of that process, and renewed its row just now. */
const nodeWith = (id: string, runId: string | null): LiveNode => ({
  id,
  name: `node-${id}`,
  shared: true,
  version: '1',
  kids: '',
  seen: String((seconds += 1)),
  store_id: runId && `${runId}/0/wf`,
  store_address: runId && `${runId}.test:6379/0?prefix=wf`,
});

const start = async (runId: string, url = 'redis://:hunter2@ours.test') => {
  const sessions = createFakeSessions();
  const agreement = createStoreAgreement({
    name: 'node-b',
    address: storeAddress(url),
    store: sessions.store,
  });
  await sessions.connect(runId);
  return {
    ...sessions,
    ...agreement,
    problem: sessions.store.problem,
    /** The others' rows are renewed so many times, and looked at each time. */
    watch: async (renewals: number, others: () => readonly LiveNode[]) => {
      for (let n = 0; n < renewals; n += 1) {
        const own = { ...nodeWith('b', null), ...agreement.columns() };
        agreement.compare([own, ...others()]);
        await sessions.beat();
      }
    },
  };
};

const SENTENCE =
  'node-b uses the shared store ours.test:6379/0?prefix=wf, but node-a, on the same records, uses another one (other.test:6379/0?prefix=wf): set the same SHARED_STATE_URL on all nodes, and see that it leads to one store.';

it('of two nodes with different stores one is refused, and says which and what to do', async () => {
  const node = await start('ours');
  await node.watch(10, () => [nodeWith('a', 'other')]);
  expect(node.problem()).toBe(SENTENCE);
  // It goes on saying which store it has: otherwise the other would not know either.
  expect(node.columns().store_id).toBe('ours/0/wf');
  await node.connect('ours');
  expect(node.problem()).toBe(SENTENCE);

  const other = await start('ours');
  await other.watch(10, () => [nodeWith('c', 'other')]);
  expect(other.problem()).toBeNull();
});

it('the store of most nodes is kept', async () => {
  const node = await start('ours');
  await node.watch(10, () => [nodeWith('a', 'other'), nodeWith('c', 'ours')]);
  expect(node.problem()).toBeNull();
  await node.watch(10, () => [nodeWith('a', 'other'), nodeWith('c', 'other')]);
  expect(node.problem()).toBe(SENTENCE);
});

it('a failover is no disagreement, nor is a node that is silent, of an earlier version, or without its store', async () => {
  const node = await start('ours');
  await node.watch(3, () => [nodeWith('a', 'before')]);
  await node.watch(10, () => [nodeWith('a', 'ours')]);
  await node.watch(3, () => [nodeWith('a', 'ours'), nodeWith('c', 'before')]);
  expect(node.problem()).toBeNull();
  const silent = nodeWith('a', 'other');
  await node.watch(10, () => [silent, nodeWith('c', null)]);
  expect(node.problem()).toBeNull();
});

it('ends as soon as the other is gone, or has moved, or the address leads to its store', async () => {
  for (const others of [() => [], () => [nodeWith('a', 'ours')], () => [nodeWith('a', null)]]) {
    const node = await start('ours');
    await node.watch(10, () => [nodeWith('a', 'other')]);
    expect(node.problem()).toBe(SENTENCE);
    await node.watch(1, others);
    await node.connect('ours');
    expect(node.problem()).toBeNull();
  }
  const node = await start('ours');
  await node.watch(10, () => [nodeWith('a', 'other')]);
  await node.connect('other');
  expect(node.problem()).toBeNull();
  await node.watch(10, () => [nodeWith('a', 'other')]);
  expect(node.problem()).toBeNull();
});

it('another database or prefix of one process is another store, another name for it is not', async () => {
  for (const [url, same] of [
    ['redis://ours.test/1', false],
    ['redis://ours.test?prefix=x', false],
    ['rediss://alias.test:7000', true],
  ] as const) {
    const node = await start('other', url);
    await node.watch(10, () => [nodeWith('a', 'other')]);
    expect(node.problem() === null).toBe(same);
  }
});

it('a node whose store is lost names none, and finds no fault with others', async () => {
  const node = await start('ours');
  node.lose();
  await node.watch(10, () => [nodeWith('a', 'other')]);
  expect(node.columns()).toEqual({ store_id: null, store_address: null });
  await node.connect('ours');
  expect(node.problem()).toBeNull();
});
