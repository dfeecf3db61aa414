import { describe, expect, it, vi } from 'vitest';
import { FLIGHT_MS } from '#server/deadlines.ts';
import { sleep } from '#server/system.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { StorageFault } from '#server/storage/storage-fault.ts';
import { codeOf, NOBODY, startServers, type Answer } from '#test/support/fake-time-servers.ts';
import { createFakeTimeSession, passWithPools, useFakeTimePostgres } from '#test/support/fake-time-state.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { openPostgresTokenStore } from './postgres-token-store.ts';

const newDatabase = useFakeTimePostgres();

describe.skipIf(POSTGRES_MISSING !== null)('with PostgreSQL', () => {
  it('several servers use no token more often than one server would', async () => {
    const { one, other, used, pass } = await startServers(await newDatabase(), 2, 'a');
    const both = Promise.all([one.lookUp(), other.lookUp()]);
    await pass(300);
    // Until it is known how its limit refills, it sends one a second.
    expect(used).toEqual(['a']);
    await pass(1_500);
    await both;
    expect(used).toEqual(['a', 'a']);
  });

  it('several servers keep to one pace together, and use it', async () => {
    const [url, system, perSecond] = [await newDatabase(), createFakeSystem(), 10];
    const servers = [1, 2].map(() => createFakeTimeSession(url, system));
    const sentMs: number[] = [];
    for (const { session } of servers) {
      const store = openPostgresTokenStore({ system, session, perSecond })(() => {});
      await session.start();
      const send = async (): Promise<void> => {
        for (;;) {
          const slot = await store.apply({ view: await store.read('none'), isSend: true });
          if (slot === null) await sleep(system.clock, Math.max(1, store.slotWaitMs()));
          else sentMs.push(slot);
        }
      };
      void send();
    }
    await passWithPools(
      system,
      servers.map(({ pool }) => pool),
      { ms: 5_000, stepMs: 20 },
    );
    for (const from of sentMs) {
      const inSecond = sentMs.filter((atMs) => atMs >= from && atMs < from + 1_000);
      expect(inSecond.length).toBeLessThanOrEqual(perSecond);
    }
    expect(sentMs.length).toBeGreaterThan(40);
  });

  it('each server uses the tokens that it has', async () => {
    const { one, other, used, pass } = await startServers(await newDatabase(), 2);
    for (let n = 0; n < 20; n += 1) one.pool.add(botToken(`one ${n}`));
    await one.lookUp();
    other.pool.add(botToken('other'));
    await pass(1_100);
    for (let n = 0; n < 3; n += 1) {
      expect(await other.lookUp()).toEqual(NOBODY);
      await pass(1_100);
    }
    expect(used.slice(-3)).toEqual(['other', 'other', 'other']);
  });

  it('several servers count each token once, also while they make sure that theirs are there', async () => {
    const { one, pass } = await startServers(await newDatabase(), 2, 'a', 'b');
    await pass(595_000, 10_000);
    const seen = new Set<number>();
    for (let n = 0; n < 30; n += 1) {
      await pass(500);
      seen.add(one.pool.counts().healthy);
    }
    expect([...seen]).toEqual([2]);
  });

  it('a server does not put back what another has just removed', async () => {
    const { one, other, pass } = await startServers(await newDatabase(), 2, 'a');
    await Promise.all([one.lookUp(), pass(100)]);
    await Promise.all([one.pool.remove('a', botToken('a')), pass(200)]);
    other.pool.add(botToken('a'));
    await pass(2_000);
    const refused = codeOf(other.lookUp());
    await pass(6_000);
    expect(await refused).toBe('pool-busy');
    await pass(65_000, 1_000);
    expect(await other.lookUp()).toEqual(NOBODY);
  });

  it('a token is removed only once what was granted before can no longer leave', async () => {
    const { one, pass } = await startServers(await newDatabase(), 1, 'a');
    await pass(1_000);
    const removed = vi.fn<() => void>();
    void one.pool.remove('a').then(removed);
    await pass(100);
    expect(removed).not.toHaveBeenCalled();
    await pass(100);
    expect(removed).toHaveBeenCalled();
  });

  it('the answer of a server that died is waited for no longer than it can take', async () => {
    const { one, other, say, used, pass } = await startServers(await newDatabase(), 2, 'a');
    say.ofUser = () => new Promise(() => {});
    void one.lookUp();
    await pass(100);
    one.messages.failWith(new StorageFault('dead'));
    say.ofUser = async () => NOBODY;
    const early = codeOf(other.lookUp());
    await pass(6_000);
    expect(await early).toBe('pool-busy');
    await pass(FLIGHT_MS - 6_000);
    expect(await other.lookUp()).toEqual(NOBODY);
    expect(used).toEqual(['a', 'a']);
  });

  it('a suspect is checked once, and all servers know what came of it', async () => {
    const { one, other, say, pass } = await startServers(await newDatabase(), 2, 'a');
    let asked = 0;
    say.ofUser = async () => ({ kind: 'unauthorized' });
    say.ofItself = async () => {
      asked += 1;
      return { kind: 'unauthorized' };
    };
    await one.lookUp();
    await pass(4_000);
    expect(asked).toBe(1);
    await vi.waitFor(() => expect(other.pool.counts()).toMatchObject({ healthy: 0, suspect: 1 }));
  });

  it('all servers stop for a ban that one has met, and one of them finds out that it is over', async () => {
    const { one, other, say, used, pass } = await startServers(await newDatabase(), 2, 'a', 'b', 'c');
    say.ofUser = async () => ({ kind: 'blocked', retryAfterMs: 60_000 });
    await one.lookUp();
    await pass(2_000);
    expect(await codeOf(other.lookUp())).toBe('platform-paused');
    expect(other.platform.pause()?.cause).toBe('banned');
    const { promise, resolve } = Promise.withResolvers<Answer>();
    say.ofUser = () => promise;
    await pass(66_000, 500);
    const probe = other.lookUp();
    await pass(200);
    const others = codeOf(one.lookUp());
    await pass(6_000);
    expect([await others, used.length]).toEqual(['platform-paused', 2]);
    resolve(NOBODY);
    await probe;
    await pass(1_100);
    expect(await one.lookUp()).toEqual(NOBODY);
  });
});
