import { describe, expect, it } from 'vitest';
import { IN_OUR_SCHEMA } from '#server/storage/sql-dialect.ts';
import { NOBODY, startServers } from '#test/support/fake-time-servers.ts';
import { useFakeTimePostgres } from '#test/support/fake-time-state.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';

const newDatabase = useFakeTimePostgres();

const start = async () => {
  const site = await startServers(await newDatabase(), 2, 'a', 'b');
  await site.pass(2_000);
  const lookUp = async (server: typeof site.one) => {
    const answer = server.lookUp().catch((error: unknown) => error);
    await site.pass(2_000, 100);
    return answer;
  };
  expect(await lookUp(site.one)).toEqual(NOBODY);
  const run = (statement: string) => site.one.messages.send(`${IN_OUR_SCHEMA}${statement}`);
  return { ...site, lookUp, run };
};

describe.skipIf(POSTGRES_MISSING !== null)('rows in PostgreSQL that nobody has written,', () => {
  const told = (record: string) =>
    `update standing set record = '${record}'; update pace set standing = standing + 1`;
  const STANDINGS = ['standing.platform', 'standing.tokens'];
  it.each([
    [told('{}'), STANDINGS],
    [told('garbage'), STANDINGS],
    [told('{"bans":{"getUser":{"untilMs":"x"}},"invalid":[null],"doubtsMs":0}'), STANDINGS],
    [`update token_state set record = 'garbage'`, ['token_state']],
    [`update token_state set record = replace(record, 'unknown', 'odd')`, ['token_state']],
    [`update token_state set record = '{"refill":"sliding"}'`, ['token_state']],
    ['delete from token_state', ['token_state']],
    ['delete from pace', ['pace']],
    ['delete from standing', []],
  ])('as by %s, count as new, once told by name, and lookups go on', async (statement, names) => {
    const { say, one, other, pass, lookUp, run } = await start();
    await run(statement);
    await pass(3_000, 100);
    for (const server of [one, other]) expect(await lookUp(server)).toEqual(NOBODY);
    expect([...one.unreadable.union(other.unreadable)].toSorted()).toEqual(names);
    // What is learned from now on is written again.
    say.ofUser = async () => ({ kind: 'blocked', retryAfterMs: 60_000 });
    await lookUp(other);
    expect(one.platform.pause()?.cause).toBe('banned');
  });

  it.each([
    ...["tat = 'NaN'", "tat = 'Infinity'", "shift = 'NaN'", "shift = '-Infinity'"].map(
      (set) => `pace set ${set}`,
    ),
    'pace set standing = 9223372036854775807',
    'token_state set version = 9223372036854775807',
    `token_state set free_at = 'NaN'`,
    `token_state set place = 'x'`,
  ])('as by update %s, are not taken', async (update) => {
    const { run } = await start();
    await expect(run(`update ${update}`)).rejects.toMatchObject({ code: '23514' });
  });
});
