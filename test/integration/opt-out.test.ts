import { expect, it } from 'vitest';
import { createLookup } from '#server/lookup/lookup.ts';
import { createEvents } from '#server/observability/events.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createSecret } from '#server/platform/bot-token.ts';
import { createCdnUrls } from '#shared/cdn-url.ts';
import { parseSnowflake, type Snowflake } from '#shared/snowflake.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
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
  const system = createFakeSystem({ wallMs: Date.UTC(2026, 10, 15) });
  const asked: string[] = [];
  const getUser = async (id: string) => {
    asked.push(id);
    return { kind: 'not-found', reading: null } as const;
  };
  const { pool } = createTestPool({ system, client: { getUser } });
  pool.add({ botId: '1', secret: createSecret('1') });
  const { lookUpProfile } = createLookup({
    system,
    pool,
    cdn: createCdnUrls('http://cdn.invalid'),
    isOptedOut: (id) => id === ID,
    events: createEvents(createLogger('silent', { write: () => {} })),
  });
  for (let n = 0; n < 20; n += 1) {
    expect(
      (await lookUpProfile(ID as Snowflake, { network: 1, work: 1 }, () => new AbortController().signal))
        .kind,
    ).toBe('not-found');
    await system.advance(60_000);
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
