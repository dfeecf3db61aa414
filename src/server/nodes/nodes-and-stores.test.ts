import { describe, expect, it, vi } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { createRegisteredNodes } from '#test/support/registered-nodes.ts';

describe.skipIf(POSTGRES_MISSING !== null)('nodes on the same records', () => {
  it('start with the store that the others use, or not at all', async () => {
    await using test = await createRegisteredNodes();
    const first = test.node('first', true);
    await first.start();
    // Its renewals are in flight while the other waits.
    const second = test.node('second', true, () => first.beat(), 'another');
    await expect(second.start()).rejects.toMatchObject({
      exitCode: EXIT.sharedStoreUnusable,
      message: expect.stringMatching(
        /^second uses the shared store s\.test.*, but first, .* uses another one/,
      ),
    });
    await test.node('third', true).start();
    await first.leave();
  });

  it('of several that start at once with different stores only those with the same one do', async () => {
    await using test = await createRegisteredNodes();
    const nodes: ReturnType<typeof test.node>[] = [];
    const beatAll = async () => {
      for (const node of nodes) await node.beat();
    };
    for (const n of [1, 2, 3, 4]) nodes.push(test.node(`n${n}`, true, beatAll, `store ${n % 2}`));
    const ends = await Promise.allSettled(nodes.map((node) => node.start()));
    expect(ends.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    const stores = (await test.live()).map(({ store_id }) => store_id).filter((id) => id !== null);
    expect([stores.length, new Set(stores).size]).toEqual([2, 1]);
  });

  it('take over from one that was killed, though it used another store', async () => {
    await using test = await createRegisteredNodes();
    await test.node('killed', true).start();
    let waited = 0;
    const next = test.node(
      'next',
      true,
      async () => {
        waited += 1;
        if (waited === 5) await test.silence('killed');
      },
      'another',
    );
    await next.start();
    expect(waited).toBe(5);
  });

  it('notice later that their stores differ: one of them is refused, until they agree again', async () => {
    await using test = await createRegisteredNodes();
    const nodes = [test.node('a', true), test.node('b', true)];
    for (const node of nodes) await node.start();
    await nodes[1]?.sessions.connect('another');
    const refused = () => nodes.filter(({ sessions }) => sessions.store.problem() !== null);
    await vi.waitFor(async () => {
      for (const node of nodes) await node.beat();
      expect(refused()).toHaveLength(1);
    }, EVENTUALLY);
    const [loser] = refused();
    await loser?.sessions.connect(loser === nodes[0] ? 'another' : 'store');
    for (let n = 0; n < 10; n += 1) for (const node of nodes) await node.beat();
    expect(refused()).toEqual([]);
  });
});
