import { expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const NOBODY = '794354273277177873';

const optOut = async ({ app, records }: TestApp, id = ID) => {
  await records.optOuts.add(records.vault.optOutDigest(id), '2026-11-15');
  await app.refresh();
};
const look = (test: TestApp, id: string) => test.settle(test.lookUp(id));
const calls = ({ sandbox }: TestApp) => sandbox.stats().requests;

it('who opted out is answered exactly like nobody, and the platform is not asked', async () => {
  await using test = await startTestApp();
  const nobody = await look(test, NOBODY);
  await optOut(test);
  const before = calls(test);
  const hidden = await look(test, ID);
  expect(calls(test)).toBe(before);
  expect(hidden.statusCode).toBe(404);
  expect(Object.keys(hidden.json())).toEqual(Object.keys(nobody.json()));
  expect(hidden.json()).toEqual({ id: ID, created_utc: '2018-05-04T16:20:17.137Z' });
  const withoutTime = ({ headers }: typeof hidden) => ({ ...headers, date: '', 'content-length': '' });
  expect(withoutTime(hidden)).toEqual(withoutTime(nobody));
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

it('takes as long as the platform takes, and no longer the second time', async () => {
  await using test = await startTestApp({ drawsZero: true });
  test.sandbox.faults.set({ latencyMs: 700 });
  await look(test, NOBODY);
  await optOut(test);
  const startMs = test.system.clock.monotonicMs();
  await look(test, ID);
  expect(test.system.clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(700);
  const againMs = test.system.clock.monotonicMs();
  await look(test, ID);
  expect(test.system.clock.monotonicMs() - againMs).toBeLessThan(100);
});

it('who changes their mind is shown again', async () => {
  await using test = await startTestApp();
  await optOut(test);
  expect((await look(test, ID)).statusCode).toBe(404);
  await test.records.optOuts.remove(test.records.vault.optOutDigest(ID));
  await test.app.refresh();
  await test.pass(60_000, 10_000);
  expect((await look(test, ID)).statusCode).toBe(200);
});

it('while nobody can be looked up, the answer is the same for all', async () => {
  await using test = await startTestApp({ tokens: 0 });
  await optOut(test);
  const [hidden, other] = [await look(test, ID), await look(test, NOBODY)];
  expect([hidden.statusCode, hidden.body]).toEqual([503, other.body]);
});
