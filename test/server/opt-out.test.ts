import { expect, it, vi } from 'vitest';
import { parseSnowflake } from '#shared/snowflake.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const NOBODY = '794354273277177873';

const optOut = async ({ app, records }: TestApp, id = ID) => {
  await records.optOuts.add(records.vault.optOutDigest(id), '2026-11-15');
  await app.refresh();
};
const look = (test: TestApp, id: string) => test.settle(test.lookUp(id));

it('who opted out is answered exactly like nobody', async () => {
  await using test = await startTestApp();
  const nobody = await look(test, NOBODY);
  await optOut(test);
  const hidden = await look(test, ID);
  expect(hidden.statusCode).toBe(404);
  expect(Object.keys(hidden.json())).toEqual(Object.keys(nobody.json()));
  expect(hidden.json()).toEqual({ id: ID, created_utc: '2018-05-04T16:20:17.137Z' });
  const withoutTime = ({ headers }: typeof hidden) => ({ ...headers, date: '', 'content-length': '' });
  expect(withoutTime(hidden)).toEqual(withoutTime(nobody));
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

it('a profile that is in memory is not shown either', async () => {
  await using test = await startTestApp();
  expect((await look(test, ID)).statusCode).toBe(200);
  await optOut(test);
  expect((await look(test, ID)).statusCode).toBe(404);
});

it('a wish that comes while the platform is asked is honoured', async () => {
  await using test = await startTestApp();
  test.sandbox.faults.set({ latencyMs: 500 });
  const underWay = test.lookUp(ID);
  await test.pass(200);
  await optOut(test);
  expect((await test.settle(underWay)).statusCode).toBe(404);
  expect((await look(test, ID)).statusCode).toBe(404);
});

it('who changes their mind is shown again', async () => {
  await using test = await startTestApp();
  await optOut(test);
  expect((await look(test, ID)).statusCode).toBe(404);
  await test.records.optOuts.remove(test.records.vault.optOutDigest(ID));
  await test.app.refresh();
  await test.pass(70_000, 10_000);
  expect((await look(test, ID)).statusCode).toBe(200);
});
