import { expect, it } from 'vitest';
import manifest from '#package.json' with { type: 'json' };
import { readMetrics } from '#test/support/admin-client.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { startTestApp, useTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const UNKNOWN_ID = '794354273277177873';

const test = await useTestApp({ tokens: 4 });

/** What `work` adds to the series that it changes, without those that tell of time and memory. */
const changesBy = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
  const before = await readMetrics(test.app);
  await work();
  const after = await readMetrics(test.app);
  const changed = [...after]
    .map(([series, value]) => [series, value - (before.get(series) ?? 0)] as const)
    .filter(
      ([series, change]) =>
        change !== 0 && series.startsWith('whoflake_') && !/_bucket|_sum|disk_free/.test(series),
    );
  return Object.fromEntries(changed);
};

it('the metrics count every step of a lookup that finds somebody, and how long the platform took', async () => {
  test.sandbox.faults.set({ latencyMs: 3_000 });
  expect(await changesBy(() => test.settle(test.lookUp(ID)))).toEqual({
    'whoflake_http_requests_total{route="/challenge",status="200"}': 1,
    'whoflake_http_request_duration_seconds_count{route="/challenge"}': 1,
    'whoflake_http_requests_total{route="/lookup",status="200"}': 1,
    'whoflake_http_request_duration_seconds_count{route="/lookup"}': 1,
    whoflake_challenges_issued_total: 1,
    'whoflake_proofs_total{outcome="accepted"}': 1,
    'whoflake_profile_cache_requests_total{result="miss"}': 1,
    whoflake_profile_cache_entries: 1,
    'whoflake_leases_total{outcome="granted"}': 1,
    whoflake_lease_wait_seconds_count: 1,
    'whoflake_platform_requests_total{outcome="found"}': 1,
    whoflake_platform_request_duration_seconds_count: 1,
    'whoflake_lookups_total{outcome="found"}': 1,
  });
  test.sandbox.faults.clear();
  const series = await readMetrics(test.app);
  for (const [timed, labels] of [
    ['whoflake_platform_request_duration_seconds', ''],
    ['whoflake_http_request_duration_seconds', 'route="/lookup",'],
  ] as const) {
    const buckets = ['2.5', '5', '+Inf'].map((le) => series.get(`${timed}_bucket{${labels}le="${le}"}`));
    expect(buckets).toEqual([0, 1, 1]);
  }
});

it('the metrics tell nobody by that id, a bad proof and a failing platform apart', async () => {
  const changes = await changesBy(async () => {
    await test.settle(test.lookUp(UNKNOWN_ID));
    await test.postLookup({ discord_id: ID, proof: 'x' });
    test.sandbox.faults.set({ status: 500 });
    await test.settle(test.lookUp(`${ID.slice(0, -1)}8`));
    test.sandbox.faults.clear();
  });
  expect(changes).toMatchObject({
    'whoflake_lookups_total{outcome="not-found"}': 1,
    'whoflake_lookups_total{outcome="platform-failed"}': 1,
    'whoflake_proofs_total{outcome="invalid"}': 1,
    'whoflake_http_errors_total{code="proof-invalid"}': 1,
    'whoflake_platform_requests_total{outcome="failed-status"}': 2,
    'whoflake_http_requests_total{route="/lookup",status="404"}': 1,
    'whoflake_http_requests_total{route="/lookup",status="403"}': 1,
    'whoflake_http_requests_total{route="/lookup",status="502"}': 1,
  });
});

it('the metrics name a route only if there is one, and never the path that was asked for', async () => {
  const paths = [
    '/',
    '/assets/app-1a2b3c4d.js',
    '/healthz',
    `/${ID}`,
    `/lookup/${ID}`,
    '/%',
    '/lookup',
    '/de',
  ];
  const changes = await changesBy(async () => {
    for (const path of paths) await test.app.server.inject(path);
  });
  const requests = Object.entries(changes).filter(([series]) => series.includes('requests_total'));
  expect(Object.fromEntries(requests)).toEqual({
    'whoflake_http_requests_total{route="/:name",status="302"}': 1,
    'whoflake_http_requests_total{route="unknown",status="404"}': 1,
    'whoflake_http_requests_total{route="unknown",status="400"}': 1,
    'whoflake_http_requests_total{route="unknown",status="405"}': 1,
    'whoflake_http_requests_total{route="/",status="200"}': 1,
    'whoflake_http_requests_total{route="/assets/*",status="200"}': 1,
    'whoflake_http_requests_total{route="/healthz",status="200"}': 1,
    'whoflake_http_requests_total{route="/:language",status="200"}': 1,
  });
});

it('the series of the metrics start at zero, and do not grow with what visitors make up', async () => {
  await using fresh = await startTestApp();
  const names = async () =>
    [...(await readMetrics(fresh.app)).keys()].filter((series) => series.startsWith('whoflake_'));
  expect(await names()).toContain('whoflake_lookups_total{outcome="pool-empty"}');
  expect(await names()).toContain('whoflake_donations_total{outcome="token-known"}');
  const ask = async (text: string): Promise<void> => {
    const headers = { 'content-type': 'application/json', 'user-agent': text, 'x-forwarded-for': text };
    for (const method of ['GET', 'POST', 'DELETE', 'HEAD'] as const)
      await fresh.app.server.inject({ method, url: `/${text}?${text}`, headers });
    await fresh.postLookup({ discord_id: text, proof: text }, headers);
    await fresh.app.server.inject({ url: `/assets/${text}.js`, headers });
  };
  await ask(`${ID}0`);
  const before = await names();
  for (let n = 1; n < 50; n += 1) await ask(`${ID}${n}`);
  expect(await names()).toEqual(before);
  expect(before.filter((series) => series.includes(ID))).toEqual([]);
});

it('the metrics count donations and withdrawals by how they ended, tokens that are refused and retired, and a ban', async () => {
  const token = test.sandbox.mintToken(50);
  const changes = await changesBy(async () => {
    await donate(test, token);
    await donate(test, token);
    await withdraw(test, { token });
    test.sandbox.revokeAll();
    await test.settle(test.lookUp(`${ID.slice(0, -2)}11`));
  });
  expect(changes).toMatchObject({
    'whoflake_donations_total{outcome="accepted"}': 1,
    'whoflake_donations_total{outcome="token-known"}': 1,
    'whoflake_withdrawals_total{outcome="accepted"}': 1,
    'whoflake_tokens_suspected_total{reason="unauthorized"}': 3,
    'whoflake_lookups_total{outcome="pool-busy"}': 1,
    'whoflake_pool_tokens{state="suspect"}': 3,
    // A lookup tried each of them, and the first was asked about.
    'whoflake_platform_requests_total{outcome="unauthorized"}': 3 + 1,
    whoflake_invalid_requests: 3 + 1,
  });
  expect(await changesBy(() => test.retiredBecomes(3))).toMatchObject({
    whoflake_tokens_retired_total: 3,
    'whoflake_pool_tokens{state="suspect"}': -3,
    'whoflake_pool_tokens{state="retired"}': 3,
  });
  test.sandbox.faults.set({ ban: 'html' });
  test.addToken(60);
  const ban = await changesBy(() => test.settle(test.lookUp(`${ID.slice(0, -2)}12`)));
  expect(ban).toMatchObject({
    whoflake_egress_paused: 1,
    'whoflake_platform_requests_total{outcome="blocked"}': 1,
  });
  const metrics = await readMetrics(test.app);
  expect(metrics.get('whoflake_invalid_requests_limit{stops="token-checks"}')).toBe(250);
  expect(metrics.get('whoflake_invalid_requests_limit{stops="everything"}')).toBe(500);
  expect(metrics.get(`whoflake_build_info{version="${manifest.version}"}`)).toBe(1);
});
