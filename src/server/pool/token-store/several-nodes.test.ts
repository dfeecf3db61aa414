import { describe, expect, it, vi } from 'vitest';
import type { DiscordUser } from '#server/platform/discord-objects.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import {
  codeOf,
  emptyStore,
  ID,
  lookUp,
  NOBODY,
  startNodes,
  type Answer,
} from '#test/support/shared-nodes.ts';
import { PUT_TOKEN } from './token-scripts.ts';

const REFUSED: Answer = { kind: 'unauthorized' };

describe.skipIf(REDIS_MISSING !== null)('a token of several nodes', () => {
  it('that is taken out on one is used by none, though the others have not heard of it', async () => {
    const { one, other, used, pass } = await startNodes(2);
    one.pool.add(botToken('a'));
    expect(await lookUp(one)).toEqual(NOBODY);
    // The other node was never told of it, and the donor comes there.
    await other.pool.remove('a', botToken('a'));
    await pass(2_000);
    expect(await codeOf(lookUp(one))).toBe('pool-empty');
    one.pool.add(botToken('a'));
    await pass(2_000);
    expect(await codeOf(lookUp(one))).toBe('pool-empty');
    expect(used).toEqual(['a']);
    // A minute later every node has heard of it: one that adds it now means it.
    await pass(61_000);
    expect(await lookUp(one)).toEqual(NOBODY);
  });

  it('that only one has does not keep the others from theirs', async () => {
    const { one, other, used, pass } = await startNodes(2);
    for (const botId of ['a', 'b', 'c']) one.pool.add(botToken(botId));
    other.pool.add(botToken('d'));
    await pass(100);
    for (let n = 0; n < 3; n += 1) {
      await lookUp(one);
      await lookUp(other);
      await pass(2_000);
    }
    expect(used.filter((botId) => botId === 'd')).toHaveLength(3);
    expect(one.pool.counts()).toMatchObject({ healthy: 4 });
  });

  it('whose node dies with a request is used again, once no answer can come any more', async () => {
    const { one, other, say, used, pass } = await startNodes(2);
    for (const { pool } of [one, other]) pool.add(botToken('a'));
    say.ofUser = () => new Promise(() => {});
    void lookUp(one);
    await pass(100);
    one.store.kill();
    say.ofUser = async () => NOBODY;
    const waiting = codeOf(lookUp(other));
    await pass(6_000);
    expect(await waiting).toBe('pool-busy');
    await pass(10_000);
    expect(await lookUp(other)).toEqual(NOBODY);
    expect(used).toEqual(['a', 'a']);
  });

  it('that was granted too long ago is not used', async () => {
    const { one, used, system, pass } = await startNodes(1);
    one.pool.add(botToken('a'));
    const lease = await one.pool.lease();
    system.stall(2_001);
    expect(await lease.getUser(ID, 5_000)).toEqual({ kind: 'failed', reason: 'timeout' });
    expect(used).toEqual([]);
    await pass(1_100);
    expect(await lookUp(one)).toEqual(NOBODY);
  });

  it('is not used if the store does not acknowledge that', async () => {
    const { one, used, pass } = await startNodes(1);
    one.pool.add(botToken('a'));
    await pass(100);
    const session = one.store.session();
    const { run } = session;
    const spy = vi.spyOn(session, 'run').mockImplementation(async (script, input) => {
      const reply = await run(script, input);
      if (script.sha === PUT_TOKEN.sha) throw new Error('The connection is gone.');
      return reply;
    });
    await expect(lookUp(one)).rejects.toThrow('The connection is gone.');
    expect(used).toEqual([]);
    expect(one.pool.counts().inFlight).toBe(0);
    // The request counts, for the store has it on record; it is given up like that of a node that died.
    spy.mockRestore();
    await pass(16_000);
    expect(await lookUp(one)).toEqual(NOBODY);
  });

  it('is not used by a node that comes back until the records have said whether it is still lent', async () => {
    const { one, other, used, records, pass } = await startNodes(2);
    one.pool.add(botToken('a'));
    one.pool.add(botToken('b'));
    await pass(100);
    let isCutOff = true;
    records.read = async () => {
      if (isCutOff) throw new Error('The records are out of reach.');
      await one.pool.remove('a');
    };
    await other.pool.remove('a', botToken('a'));
    await emptyStore(other);
    await pass(70_000);
    expect(await codeOf(lookUp(one))).toBe('pool-empty');
    expect(used).toEqual([]);
    isCutOff = false;
    await pass(2_000);
    expect(await lookUp(one)).toEqual(NOBODY);
    await pass(70_000);
    expect(await lookUp(one)).toEqual(NOBODY);
    expect(used).toEqual(['b', 'b']);
  });

  it('that was locked by a node that died is free after two seconds', async () => {
    const { one, other, pass } = await startNodes(2);
    for (const { pool } of [one, other]) pool.add(botToken('a'));
    await pass(100);
    const { run } = one.store.session();
    vi.spyOn(one.store.session(), 'run').mockImplementation(async (script, input) => {
      const reply = await run(script, input);
      one.store.kill();
      return reply;
    });
    void lookUp(one);
    await pass(100);
    const waiting = lookUp(other);
    await pass(2_000);
    expect(await waiting).toEqual(NOBODY);
  });
});

describe.skipIf(REDIS_MISSING !== null)('what the platform says to one node', () => {
  it('holds for all: a ban, and one request to see whether it is over', async () => {
    const { one, other, nodes, say, used, pass } = await startNodes(2);
    for (let n = 0; n < 4; n += 1) for (const { pool } of nodes) pool.add(botToken(`${n}`));
    say.ofUser = async () => ({ kind: 'blocked', retryAfterMs: 60_000 });
    await lookUp(one);
    await pass(1_100);
    expect(await codeOf(lookUp(other))).toBe('platform-paused');
    expect(other.platform.pause(0)?.cause).toBe('banned');
    let answer: (given: Answer) => void = () => {};
    say.ofUser = () => new Promise((resolve) => (answer = resolve));
    await pass(70_000);
    const probes = nodes.map(lookUp);
    await pass(1_000);
    expect(used).toHaveLength(2);
    say.ofUser = async () => NOBODY;
    answer(NOBODY);
    await pass(1_000);
    expect(await Promise.all(probes)).toEqual([NOBODY, NOBODY]);
  });

  it('counts for all: invalid answers', async () => {
    const { one, other, nodes, say, pass } = await startNodes(2, { invalidRequestLimit: 4 });
    for (let n = 0; n < 6; n += 1) for (const { pool } of nodes) pool.add(botToken(`${n}`));
    say.ofUser = async () => ({ kind: 'forbidden' });
    for (let n = 0; n < 2; n += 1) {
      await lookUp(one);
      await lookUp(other);
      await pass(1_000);
    }
    expect(await codeOf(lookUp(one))).toBe('platform-paused');
    expect(await codeOf(lookUp(other))).toBe('platform-paused');
    await pass(1_000);
    expect(nodes.map(({ platform }) => platform.invalidRequests())).toEqual([4, 4]);
  });

  it('makes a token a suspect for all, asked about by one', async () => {
    const { one, other, nodes, say, asked, pass } = await startNodes(2);
    for (const { pool } of nodes) pool.add(botToken('a'));
    const retired: string[] = [];
    for (const { pool } of nodes) pool.onRetired(({ botId }) => void retired.push(botId));
    say.ofUser = async () => REFUSED;
    say.ofItself = async () => REFUSED;
    await lookUp(one);
    await pass(3_000);
    expect(asked).toEqual(['a']);
    expect(retired).toEqual(['a']);
    expect(await codeOf(lookUp(other))).toBe('pool-empty');
  });

  it('is asked by the node that has the token, however many suspects only others have', async () => {
    const { one, other, say, asked, pass } = await startNodes(2);
    for (let n = 0; n < 300; n += 1) other.pool.add(botToken(`foreign ${n}`));
    one.pool.add(botToken('own'));
    await pass(100);
    say.ofUser = async () => REFUSED;
    say.ofItself = () => new Promise(() => {});
    while (other.pool.counts().suspect < 301) {
      await lookUp(other).catch(() => {});
      await pass(100);
    }
    other.store.kill();
    await pass(60_000);
    expect(asked).toContain('own');
  });

  it('is asked by another node if the one that asks dies', async () => {
    const { one, nodes, say, asked, pass } = await startNodes(2);
    for (const { pool } of nodes) pool.add(botToken('a'));
    say.ofUser = async () => REFUSED;
    say.ofItself = () => new Promise(() => {});
    await lookUp(one);
    await pass(500);
    expect(asked).toEqual(['a']);
    const [asking, other] = nodes.toSorted((a, b) => b.platform.inFlight() - a.platform.inFlight());
    asking?.store.kill();
    const found = { id: 'a' as Snowflake, bot: true } as DiscordUser;
    say.ofItself = async () => ({ kind: 'found', value: found, reading: null });
    say.ofUser = async () => NOBODY;
    await pass(17_000);
    expect(asked).toEqual(['a', 'a']);
    expect(other && (await lookUp(other))).toEqual(NOBODY);
  });
});
