import { expect, it } from 'vitest';
import { readMetrics } from '#test/support/admin-client.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { startTestApp, useTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';

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
  expect(await changesBy(() => test.retiredBecomes(3))).toMatchObject({ whoflake_tokens_retired_total: 3 });
  test.sandbox.faults.set({ ban: 'html' });
  test.addToken(60);
  const ban = await changesBy(() => test.settle(test.lookUp(`${ID.slice(0, -2)}12`)));
  expect(ban).toMatchObject({ whoflake_egress_paused: 1 });
});
