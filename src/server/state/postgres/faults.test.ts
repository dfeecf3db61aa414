import { describe, expect, it } from 'vitest';
import { StorageFault } from '#server/storage/storage-fault.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { codeOf, NOBODY, startServers, type Answer } from '#test/support/fake-time-servers.ts';
import { allAnswered, useFakeTimePostgres } from '#test/support/fake-time-state.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';

const newDatabase = useFakeTimePostgres();

describe.skipIf(POSTGRES_MISSING !== null)('with PostgreSQL', () => {
  const DAY_MS = 86_400_000;

  it.each([400_000, -DAY_MS])('a clock that leaps by %i ms frees and holds back no token', async (leapMs) => {
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
  });

  it('a clock that leaps is told from a server that has slept', async () => {
    const { one, pass } = await startServers(await newDatabase(), 1);
    await pass(3_000);
    // For PostgreSQL and other servers a minute has passed.
    one.messages.leap(60_000);
    const before = one.session.nowMs();
    await one.messages.send(`update pace set beat = ${before + 59_000}`);
    await pass(1_500);
    expect(one.session.nowMs() - before).toBeGreaterThan(60_000);
  });

  it('a statement that comes late does nothing, and the server reads again', async () => {
    const { one, used, pass, messages } = await startServers(await newDatabase(), 1, 'a');
    await Promise.all([one.lookUp(), pass(200)]);
    await pass(1_500);
    // It was sent now, and arrives in three seconds.
    messages[0]?.leap(3_000);
    const lookup = one.lookUp();
    await allAnswered(messages);
    messages[0]?.leap(-3_000);
    await pass(3_000);
    await lookup;
    expect(used).toEqual(['a', 'a']);
  });

  it('nothing is sent while PostgreSQL is gone, visitors are told at once, and it goes on by itself', async () => {
    const { one, used, pass, messages } = await startServers(await newDatabase(), 1, 'a', 'b', 'c');
    await one.lookUp();
    await pass(100);
    messages[0]?.failWith(new StorageFault('ECONNREFUSED'));
    expect(await codeOf(one.lookUp())).toBe('store-unavailable');
    await pass(2_000);
    expect(one.session.problem()).toBe('PostgreSQL: ECONNREFUSED');
    expect(await codeOf(one.pool.remove('b'))).toBe('store-unavailable');
    expect(used).toHaveLength(1);
    messages[0]?.failWith(null);
    await pass(500);
    expect(await one.lookUp()).toEqual(NOBODY);
    // What was taken out meanwhile is taken out, and stays out.
    await pass(15_000, 500);
    for (let n = 0; n < 6; n += 1) await Promise.all([one.lookUp(), pass(1_200)]);
    expect(used).not.toContain('b');
  });

  it('a full disk is known, though only some statements meet it, until there is room', async () => {
    const { one, pass, messages } = await startServers(await newDatabase(), 1, 'a');
    await one.lookUp();
    await pass(1_500);
    messages[0]?.failWith(new StorageFault('53100'), /tat = p\.slot|insert into room/);
    const refused = codeOf(one.lookUp());
    await pass(2_000);
    expect([await refused, one.session.problem()]).toEqual(['store-unavailable', 'PostgreSQL: 53100']);
    messages[0]?.failWith(null);
    await pass(500);
    expect(one.session.problem()).toBeNull();
    await Promise.all([one.lookUp(), pass(200)]);
  });

  it.each(['55P03', '57014', '40P01', '25P03'])(
    'a transaction of others in the way (%s) refuses nobody',
    async (code) => {
      const { one, pass, messages } = await startServers(await newDatabase(), 1, 'a');
      messages[0]?.failWith(new StorageFault(code));
      const lookup = one.lookUp();
      for (let n = 0; n < 5; n += 1) await Promise.resolve();
      messages[0]?.failWith(null);
      await pass(200);
      expect(await lookup).toEqual(NOBODY);
      expect(one.session.problem()).toBeNull();
    },
  );

  it.each([
    ['takes another slot', false],
    ['does not leave if its token was taken out meanwhile', true],
  ])('a request that is late %s', async (_, isTakenOut) => {
    const { one, other, pass, used } = await startServers(await newDatabase(), 2, 'a');
    await pass(1_500);
    const [lease] = await Promise.all([one.pool.lease(), pass(200)]);
    if (isTakenOut) await Promise.all([other.pool.remove('a'), pass(300)]);
    const [answer] = await Promise.all([lease.getUser('1' as Snowflake, 1_000), pass(500)]);
    expect([answer.kind, used]).toEqual(isTakenOut ? ['failed', []] : ['not-found', ['a']]);
  });

  it('an answer does not bring back a token that was taken out before it', async () => {
    const { one, other, pass, say } = await startServers(await newDatabase(), 2, 'a');
    await pass(1_500);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    say.ofUser = () => promise;
    const lookup = one.lookUp();
    await pass(200);
    await Promise.all([other.pool.remove('a'), pass(300)]);
    resolve(NOBODY);
    await Promise.all([lookup, pass(2_500)]);
    expect(await other.session.run([`select place from token_state`])).toEqual([[{ place: 'removed' }]]);
  });
});
