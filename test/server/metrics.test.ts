import { describe, expect, it } from 'vitest';
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

const get = (url: string) => test.app.server.inject(url);

describe('the metrics of a lookup', () => {
  it('count every step of one that finds somebody', async () => {
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
  });

  it('tell nobody by that id and a bad proof apart from what fails', async () => {
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
      'whoflake_http_errors_total{code="platform-failed"}': 1,
      'whoflake_platform_requests_total{outcome="failed-status"}': 2,
      'whoflake_http_requests_total{route="/lookup",status="404"}': 1,
      'whoflake_http_requests_total{route="/lookup",status="403"}': 1,
      'whoflake_http_requests_total{route="/lookup",status="502"}': 1,
    });
  });
});

it('the metrics know how long the platform took, and the visitor with it', async () => {
  test.sandbox.faults.set({ latencyMs: 3_000 });
  const before = await readMetrics(test.app);
  await test.settle(test.lookUp(`${ID.slice(0, -1)}9`));
  test.sandbox.faults.clear();
  const after = await readMetrics(test.app);
  const change = (series: string): number => (after.get(series) ?? Number.NaN) - (before.get(series) ?? 0);
  const platform = 'whoflake_platform_request_duration_seconds';
  expect(['2.5', '5', '+Inf'].map((le) => change(`${platform}_bucket{le="${le}"}`))).toEqual([0, 1, 1]);
  expect(change(`${platform}_sum`)).toBeCloseTo(3, 0);
  const visitor = 'whoflake_http_request_duration_seconds';
  const bounds = ['2.5', '5', '+Inf'].map((le) => `${visitor}_bucket{route="/lookup",le="${le}"}`);
  expect(bounds.map(change)).toEqual([0, 1, 1]);
  expect(change(`${visitor}_sum{route="/lookup"}`)).toBeCloseTo(3, 0);
});

it('the metrics name a route only if there is one, and never the path that was asked for', async () => {
  const changes = await changesBy(async () => {
    for (const path of [
      '/',
      '/assets/app-1a2b3c4d.js',
      '/healthz',
      `/${ID}`,
      `/lookup/${ID}`,
      '/%',
      '/lookup',
      '/de',
      '/de/donate/',
    ])
      await get(path);
    await test.app.server.inject({ method: 'HEAD', url: '/healthz' });
  });
  const requests = Object.entries(changes).filter(([series]) => series.includes('requests_total'));
  expect(Object.fromEntries(requests)).toEqual({
    'whoflake_http_requests_total{route="/:name",status="302"}': 1,
    'whoflake_http_requests_total{route="unknown",status="404"}': 1,
    'whoflake_http_requests_total{route="unknown",status="400"}': 1,
    'whoflake_http_requests_total{route="unknown",status="405"}': 1,
    'whoflake_http_requests_total{route="/",status="200"}': 1,
    'whoflake_http_requests_total{route="/assets/*",status="200"}': 1,
    'whoflake_http_requests_total{route="/healthz",status="200"}': 2,
    'whoflake_http_requests_total{route="/:language",status="200"}': 1,
    'whoflake_http_requests_total{route="/:language/*",status="301"}': 1,
  });
});

describe('the series', () => {
  it('start at zero for every outcome that is known beforehand', async () => {
    await using fresh = await startTestApp();
    const series = await readMetrics(fresh.app);
    const outcomesOf = (name: string) =>
      [...series.keys()].flatMap((key) => (key.startsWith(`${name}{`) ? [key.split('"')[1]] : []));
    const lookups =
      'found not-found internal platform-failed platform-paused platform-timeout pool-busy pool-empty';
    expect(outcomesOf('whoflake_lookups_total').join(' ')).toBe(lookups);
    expect(outcomesOf('whoflake_withdrawals_total')).toEqual(['accepted', 'internal', 'storage-failed']);
    expect(outcomesOf('whoflake_leases_total')).toContain('aborted');
    expect(outcomesOf('whoflake_donations_total')).toContain('token-known');
  });

  it('do not grow with what visitors make up', async () => {
    const ask = async (round: number): Promise<void> => {
      for (let n = 0; n < 50; n += 1) {
        const text = `${ID}${round}${n}`;
        const headers = { 'content-type': 'application/json', 'user-agent': text, 'x-forwarded-for': text };
        for (const method of ['GET', 'POST', 'DELETE', 'HEAD'] as const)
          await test.app.server.inject({ method, url: `/${text}?${text}`, headers });
        await test.postLookup({ discord_id: text, proof: text }, headers);
        await test.app.server.inject({ url: `/assets/${text}.js`, headers });
      }
    };
    await ask(1);
    const before = await readMetrics(test.app);
    await ask(2);
    const after = await readMetrics(test.app);
    const ours = (all: ReadonlyMap<string, number>) =>
      [...all.keys()].filter((key) => key.startsWith('whoflake_'));
    expect(ours(after)).toEqual(ours(before));
    expect(ours(after).filter((series) => series.includes(ID))).toEqual([]);
  });
});

describe('the metrics of tokens', () => {
  it('count donations and withdrawals by how they ended, refused tokens and retirements', async () => {
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
  });

  it('tell the limits, and whether the door to the platform is shut', async () => {
    expect(
      await changesBy(async () => {
        test.sandbox.faults.set({ ban: 'html' });
        test.addToken(60);
        await test.settle(test.lookUp(`${ID.slice(0, -2)}12`));
      }),
    ).toMatchObject({ whoflake_egress_paused: 1, 'whoflake_platform_requests_total{outcome="blocked"}': 1 });
    const metrics = await readMetrics(test.app);
    expect(metrics.get('whoflake_invalid_requests_limit{stops="token-checks"}')).toBe(250);
    expect(metrics.get('whoflake_invalid_requests_limit{stops="everything"}')).toBe(500);
    expect(metrics.get(`whoflake_build_info{version="${manifest.version}"}`)).toBe(1);
  });
});
