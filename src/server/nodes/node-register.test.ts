import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import type { createFakeSystem } from '#test/support/fake-system.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { createRegisteredNodes } from '#test/support/registered-nodes.ts';

describe.skipIf(POSTGRES_MISSING !== null)('servers on the same records', () => {
  it('are not kept from starting by one that ended while the clock was ahead', async () => {
    await using test = await createRegisteredNodes();
    await test.node('a', false).start();
    await test.silence('a', -3_600);
    await test.node('b', false).start();
    expect(await test.live()).toMatchObject([{ name: 'b' }]);
  });

  it('may be many that share their state, and each says what it is', async () => {
    await using test = await createRegisteredNodes();
    for (const name of ['a', 'b', 'c']) await test.node(name, true).start();
    expect(await test.live()).toEqual(
      ['a', 'b', 'c'].map((name) => ({
        id: expect.any(String),
        name,
        shared: true,
        version: '1',
        kids: 'k1 k2',
        store_id: 'store/0/wf',
        store_address: 's.test:6379/0?prefix=wf',
        seen: expect.any(String),
      })),
    );
  });

  const ALONE =
    'Another server is running on these records (first): set SHARED_STATE_URL for both, or stop the other one.';
  const UNSHARED =
    'A server without SHARED_STATE_URL is running on these records (first): stop it, set SHARED_STATE_URL for it too, then start both.';
  it.each([
    [false, false, ALONE],
    [true, false, ALONE],
    [false, true, UNSHARED],
  ])('may not be two if one does not (%s, %s)', async (firstShares, secondShares, message) => {
    await using test = await createRegisteredNodes();
    const first = test.node('first', firstShares);
    await first.join();
    const second = test.node('second', secondShares, () => first.system.advance(2_000));
    await expect(second.join()).rejects.toMatchObject({ exitCode: EXIT.serverRunning, message });
    expect((await test.live()).map(({ name }) => name)).toEqual(['first']);
    await first.leave();
    await second.join();
    await second.leave();
    expect(await test.live()).toEqual([]);
  });

  it('of two that begin at once without sharing their state one does', async () => {
    await using test = await createRegisteredNodes();
    const ends = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const node: ReturnType<typeof test.node> = test.node(name, false, async () => {
          for (const one of all) await one.system.advance(2_000);
        });
        all.push(node);
        await node.join();
      }),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
  const all: { system: ReturnType<typeof createFakeSystem> }[] = [];

  it('take the place of one that ended without a word, once it has been silent', async () => {
    await using test = await createRegisteredNodes();
    await test.node('killed', false).join();
    let waited = 0;
    await test
      .node('next', false, async () => {
        waited += 1;
        if (waited === 3) await test.silence('killed');
      })
      .join();
    expect(waited).toBe(3);
    expect((await test.live()).map(({ name }) => name)).toEqual(['next']);
  });

  it('stay on the list while they run, and come back to it', async () => {
    await using test = await createRegisteredNodes();
    const node = test.node('a', false);
    await node.join();
    const [before] = await test.live();
    await node.system.advance(2_000);
    await vi.waitFor(async () => expect((await test.live())[0]?.seen).not.toBe(before?.seen), EVENTUALLY);
    await test.silence('a');
    expect(await test.live()).toEqual([]);
    await vi.waitFor(async () => {
      await node.system.advance(2_000);
      expect(await test.live()).toHaveLength(1);
    }, EVENTUALLY);
    expect([node.isReplaced(), node.seen]).toEqual([false, { rivals: 0, failures: 0 }]);
  });

  it('leave no row behind, even while they come back to the list', async () => {
    await using test = await createRegisteredNodes();
    const node = test.node('a', false);
    await node.join();
    await test.silence('a');
    let leaving: Promise<void> | undefined;
    const untilWaiting = (count: number) =>
      vi.waitFor(async () => {
        const waiting = sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        expect((await waiting.execute(test.database)).rows).toHaveLength(count);
      }, EVENTUALLY);
    await test.database.transaction().execute(async (step) => {
      // Holds up the renewal, which finds that it was silent, and then the end of the node.
      await step.selectFrom('node').selectAll().forUpdate().execute();
      await node.system.advance(2_000);
      await untilWaiting(1);
      leaving = node.leave();
      await untilWaiting(2);
    });
    await leaving;
    // As many questions as a renewal asks, and more: it has ended by then.
    for (let asked = 0; asked < 20; asked += 1) await test.live();
    expect(await test.live()).toEqual([]);
  });

  it('that were silent while another took their place say so once, until that one is gone', async () => {
    await using test = await createRegisteredNodes();
    const slow = test.node('slow', false);
    await slow.join();
    await test.silence('slow');
    const next = test.node('next', false);
    await next.join();
    for (const _ of [1, 2, 3])
      await vi.waitFor(async () => {
        await slow.system.advance(2_000);
        expect(slow.isReplaced()).toBe(true);
      }, EVENTUALLY);
    expect(slow.seen.rivals).toBe(1);
    await next.leave();
    await vi.waitFor(async () => {
      await slow.system.advance(2_000);
      expect(slow.isReplaced()).toBe(false);
    }, EVENTUALLY);
  });
});
