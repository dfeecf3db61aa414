import { describe, expect, it } from 'vitest';
import { FLIGHT_MS } from '#server/deadlines.ts';
import { StorageFault } from '#server/storage/storage-fault.ts';
import { sleep } from '#server/system.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { codeOf, NOBODY, startServers, type Answer } from '#test/support/fake-time-servers.ts';
import { createFakeTimeSession, passWithPools, useFakeTimePostgres } from '#test/support/fake-time-state.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import type { Snowflake } from '#shared/snowflake.ts';

const newDatabase = useFakeTimePostgres();

describe.skipIf(POSTGRES_MISSING !== null)('with PostgreSQL', () => {
  it('several servers keep to one pace together, and use it', async () => {
    const [url, system, perSecond] = [await newDatabase(), createFakeSystem(), 10];
    const servers = [1, 2].map(() => createFakeTimeSession(url, system));
    const sentMs: number[] = [];
    for (const { session, storesAt } of servers) {
      const store = storesAt(perSecond).platform;
      await session.start();
      const send = async (): Promise<void> => {
        for (;;) {
          const slot = await store.takeSlot(store.standing());
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

  it('a try for a slot that is repeated does not pass a ban that came meanwhile', async () => {
    const [url, system] = [await newDatabase(), createFakeSystem()];
    const [one, other] = [createFakeTimeSession(url, system), createFakeTimeSession(url, system)];
    const [store, others] = [one.storesAt(10).platform, other.storesAt(10).platform];
    for (const { session } of [one, other]) await session.start();
    const { send } = one.pool;
    let tries = 0;
    one.pool.send = async (text) => {
      if (!text.includes('update pace set tat') || (tries += 1) > 1) return send(text);
      const ban = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER / 2, probeUntilMs: 0 };
      expect(await others.write(others.standing(), { bans: { getUser: ban }, invalid: [] })).toBe(true);
      await one.session.beat();
      throw new StorageFault('40P01');
    };
    expect(await store.takeSlot(store.standing())).toBeNull();
    expect([tries, Object.keys(store.standing().bans)]).toEqual([2, ['getUser']]);
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

  it('of servers that look up at once after a ban only one finds out whether it is over', async () => {
    const { one, other, say, used, pass } = await startServers(await newDatabase(), 2, 'a', 'b', 'c');
    say.ofUser = async () => ({ kind: 'blocked', retryAfterMs: 60_000 });
    await one.lookUp();
    await pass(67_000, 500);
    say.ofUser = () => new Promise(() => {});
    used.length = 0;
    for (const server of [one, other]) server.lookUp().catch(() => {});
    await pass(1_000);
    expect(used).toHaveLength(1);
  });

  it('a suspect of another server is asked about once, and is back in use', async () => {
    const { system, one, other, say, pass } = await startServers(await newDatabase(), 2, 'a');
    await one.lookUp();
    await pass(100);
    const vouch = say.ofItself;
    let asked = 0;
    say.ofItself = (token) => {
      asked += 1;
      return asked < 5 ? vouch(token) : new Promise(() => {});
    };
    say.ofUser = async () => {
      // It dies once that is recorded.
      system.clock.after(20, () => other.messages.failWith(new StorageFault('dead')));
      return { kind: 'unauthorized' };
    };
    void codeOf(other.lookUp());
    await pass(10_000, 10);
    expect([asked, one.pool.counts().suspect]).toEqual([1, 0]);
  });

  it('of all servers only one asks about a suspect at a time', async () => {
    const { one, other, say, pass } = await startServers(await newDatabase(), 2, 'a', 'b', 'c');
    let asked = 0;
    say.ofUser = async () => ({ kind: 'unauthorized' });
    say.ofItself = () => {
      asked += 1;
      return new Promise(() => {});
    };
    for (const server of [one, other, one]) {
      server.lookUp().catch(() => {});
      await pass(50);
    }
    await pass(5_000);
    expect([asked, one.pool.counts().suspect]).toEqual([1, 3]);
  });

  it('a lookup that comes too late for its turn does not leave after a ban that was met meanwhile', async () => {
    const { one, other, say, used, pass } = await startServers(await newDatabase(), 2, 'a', 'b');
    const late = await one.pool.lease();
    say.ofUser = async () => ({ kind: 'blocked', retryAfterMs: 60_000 });
    const met = other.lookUp();
    await pass(200);
    await met;
    expect(await late.getUser('1' as Snowflake, Infinity)).toEqual({ kind: 'failed', reason: 'timeout' });
    expect(used).toHaveLength(1);
  });

  it('tokens that no server has any more are not counted', async () => {
    const { one, other, pass } = await startServers(await newDatabase(), 2, 'a');
    other.pool.add(botToken('b'));
    await pass(1_100);
    expect(one.pool.counts().healthy).toBe(2);
    await other.session.close();
    await pass(200_000, 1_000);
    expect(one.pool.counts().healthy).toBe(1);
  });

  it('a token that was in use before counts once when it is added again', async () => {
    const { one, start, pass } = await startServers(await newDatabase(), 1, 'a', 'b');
    await pass(1_100);
    const again = await start();
    for (const id of ['a', 'b']) again.pool.add(botToken(id));
    expect([one.pool.counts().healthy, again.pool.counts().healthy]).toEqual([2, 2]);
  });

  it('a token that was taken out is not put back by a server that has not read the records since', async () => {
    const [url, system] = [await newDatabase(), createFakeSystem()];
    const current = { one: true, other: true };
    const open = async (name: keyof typeof current) => {
      const { session, pool, storesAt } = createFakeTimeSession(url, system);
      const store = storesAt(10, () => current[name]).tokens;
      await session.start();
      return { store, pool };
    };
    const [one, other] = [await open('one'), await open('other')];
    const pass = (ms: number) => passWithPools(system, [one.pool, other.pool], { ms, stepMs: 500 });
    const known = async (): Promise<string[]> => [...(await other.store.states()).keys()];
    for (const { store } of [one, other]) store.add('a');
    await pass(30_000);
    expect(await known()).toEqual(['a']);

    current.one = false;
    await Promise.all([other.store.remove('a'), pass(2_000)]);
    one.store.add('b');
    await pass(700_000);
    expect(await known()).toEqual([]);

    await Promise.all([one.store.remove('a'), pass(2_000)]);
    current.one = true;
    await pass(2_000);
    expect(await known()).toEqual(['b']);
  });

  it.each([400_000, -86_400_000])(
    'a clock that leaps by %i ms frees and holds back no token',
    async (leapMs) => {
      const { one, other, say, used, pass, messages } = await startServers(await newDatabase(), 2, 'a', 'b');
      say.ofUser = async ({ botId }) =>
        botId === 'a' ? { kind: 'rate-limited', scope: 'user', retryAfterMs: 60_000, reading: null } : NOBODY;
      for (let n = 0; n < 2; n += 1) {
        await one.lookUp();
        await pass(20);
      }
      used.length = 0;
      for (const pool of messages) pool.leap(leapMs);
      for (let n = 0; n < 20; n += 1) {
        const lookup = (n % 2 ? one : other).lookUp();
        await pass(1_500, 50);
        await lookup;
      }
      expect(used).toEqual(Array(20).fill('b'));
      await pass(40_000, 1_000);
      await Promise.all([one.lookUp(), other.lookUp(), pass(200)]);
      expect(used.slice(-2)).toContain('a');
    },
  );

  it('a token rests as long as it was told to, though the clock leaps by less than two seconds', async () => {
    const { one, say, used, pass, messages } = await startServers(await newDatabase(), 2, 'a');
    say.ofUser = async () => ({ kind: 'rate-limited', scope: 'shared', retryAfterMs: 3_000, reading: null });
    await one.lookUp();
    await pass(20);
    for (const pool of messages) pool.leap(1_900);
    const lookup = one.lookUp();
    await pass(2_500, 50);
    expect(used).toEqual(['a']);
    await pass(1_000, 50);
    await lookup;
  });
});
