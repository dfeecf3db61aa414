import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { StorageFault } from '#server/storage/storage-fault.ts';
import { parseSnowflake } from '#shared/snowflake.ts';
import { compareOptOuts } from '#test/attacks/opt-out-likeness.ts';
import { readReadiness } from '#test/support/admin-client.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const NOBODY = '794354273277177873';

const optOut = async ({ app, records }: TestApp, id = ID) => {
  await records.optOuts.add(records.vault.optOutDigest(id), '2026-11-15');
  await app.refresh();
};
const look = (test: TestApp, id: string) => test.settle(test.lookUp(id));

it('who opted out is answered exactly like nobody, even if the profile is in memory, until they change their mind', async () => {
  await using test = await startTestApp();
  const nobody = await look(test, NOBODY);
  expect((await look(test, ID)).statusCode).toBe(200);
  await optOut(test);
  const hidden = await look(test, ID);
  expect(hidden.statusCode).toBe(404);
  expect(Object.keys(hidden.json())).toEqual(Object.keys(nobody.json()));
  expect(hidden.json()).toEqual({ id: ID, created_utc: '2018-05-04T16:20:17.137Z' });
  const withoutTime = ({ headers }: typeof hidden) => ({ ...headers, date: '', 'content-length': '' });
  expect(withoutTime(hidden)).toEqual(withoutTime(nobody));
  await test.records.optOuts.remove(test.records.vault.optOutDigest(ID));
  await test.app.refresh();
  await test.pass(70_000, 10_000);
  expect((await look(test, ID)).statusCode).toBe(200);
});

it('the platform is asked about a made-up id, another each time, and never about who opted out', async () => {
  await using test = await startTestApp({ sandbox: { notFoundShare: 1 } });
  const { system, app } = test;
  const asked: string[] = [];
  const { lease } = app.pool;
  vi.spyOn(app.pool, 'lease').mockImplementation(async (...of) => {
    const { getUser, release } = await lease(...of);
    return { release, getUser: (id, timeoutMs) => (asked.push(id), getUser(id, timeoutMs)) };
  });
  await optOut(test);
  for (let n = 0; n < 20; n += 1) {
    expect((await look(test, ID)).statusCode).toBe(404);
    await system.advance(61_000);
  }
  expect(new Set(asked).size).toBe(20);
  expect(asked).not.toContain(ID);
  for (const id of asked) expect(parseSnowflake(id, system.clock.wallMs()).ok).toBe(true);
});

it('a wish to be left out that comes while the platform is asked is honoured', async () => {
  await using test = await startTestApp();
  test.sandbox.faults.set({ latencyMs: 500 });
  const underWay = test.lookUp(ID);
  await test.pass(200);
  await optOut(test);
  expect((await test.settle(underWay)).statusCode).toBe(404);
  expect((await look(test, ID)).statusCode).toBe(404);
});

it('who opts out while something else cannot be read is hidden, and the server says that it is not ready', async () => {
  await using test = await startTestApp();
  await test.app.start();
  const all = vi.spyOn(test.records.vanityLinks, 'all').mockRejectedValue(new StorageFault('08006'));
  using command = new DatabaseSync(join(test.dataDir, 'whoflake.sqlite'));
  const digest = test.records.vault.optOutDigest(ID);
  command.prepare('insert into opt_out values (?, ?)').run(digest, '2026-11-15');
  await test.pass(1_000);
  expect((await look(test, ID)).statusCode).toBe(404);
  const problem = { ready: false, records_problem: 'PostgreSQL: 08006' };
  expect(await readReadiness(test.app)).toMatchObject({ status: 503, body: problem });
  all.mockRestore();
  await test.pass(1_000);
  const well = { ready: true, records_problem: null };
  expect(await readReadiness(test.app)).toMatchObject({ status: 200, body: well });
});

// `npm run assurance` does the same in eight states of the site.
it.each(['all is well', 'the platform is down'] as const)(
  'who opted out cannot be told from nobody by verdict or time while %s',
  { tags: 'slow' },
  async (state) => {
    expect(await compareOptOuts(state)).toMatchObject({ broken: 0 });
  },
);
