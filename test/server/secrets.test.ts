import type { LightMyRequestResponse } from 'fastify';
import { expect, it } from 'vitest';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { readAdmin } from '#test/support/admin-client.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { distinctIds, lookUpAll, verdictOf } from '#test/support/many-lookups.ts';
import { spellingsOf } from '#test/support/spellings.ts';
import { startTestApp } from '#test/support/test-app.ts';

const CANARY_ID = '397315982716370944';
const UNKNOWN_ID = '794354273277177873';
const CANARY_ADDRESS = '203.0.113.77';
const TOKENS = 12;

/** Each makes the platform fail in another way; together they lead through every branch that handles an answer. */
const FAULTS: readonly FaultSettings[] = [
  {},
  { html200: true },
  { truncate: true },
  { hang: true },
  { wrongId: { value: true, count: 1 } },
  { userRateLimit: true },
  { globalRateLimit: true },
  { redirect: { status: 302, to: 'http://127.0.0.1:9/' } },
  { blocked40333: true },
  { ban: 'html' },
];
/** What all of that has to lead to, or it would prove little. */
const VERDICTS = [
  '200',
  '400 bad-request',
  '400 proof-missing',
  '404',
  '502 platform-failed',
  '503 platform-paused',
  '503 pool-busy',
  '503 pool-empty',
  '504 platform-timeout',
];

it('no answer, log line or metric contains a token, a looked-up id or a visitor’s address, whatever goes wrong', async () => {
  await using test = await startTestApp({ tokens: TOKENS, env: { TRUSTED_PROXIES: '127.0.0.1/32' } });
  const { sandbox, system } = test;
  const from = { 'x-forwarded-for': CANARY_ADDRESS };
  const answers: LightMyRequestResponse[] = [];
  const look = async (discord_id: string) =>
    answers.push(await test.settle(test.postLookup({ discord_id, proof: await test.proof() }, from)));
  await look(UNKNOWN_ID);
  for (const faults of FAULTS) {
    sandbox.faults.set(faults);
    await look(CANARY_ID);
    sandbox.faults.clear();
    // Past the cache, and past any pause but a ban's.
    await system.advance(650_000);
  }
  sandbox.revokeAll();
  for (let n = 0; n < TOKENS / 3 + 1; n += 1) await look(CANARY_ID);
  for (const body of ['{', `{"discord_id":"${CANARY_ID}"}`, `{"${CANARY_ID}":1}`, `"${CANARY_ID}"`])
    answers.push(await test.postLookup(body, from));
  expect([...new Set(answers.map(verdictOf))].toSorted()).toEqual(VERDICTS);

  const admin = await Promise.all(['/metrics', '/readyz', '/livez'].map((path) => readAdmin(test.app, path)));
  // A profile and the answer that there is none name whose they are, and the links to pictures must.
  const named = new RegExp(
    String.raw`"id":"\d+"|"(?:http:|/picture)/[^"]+/(?:avatars|banners)/${CANARY_ID}/`,
    'g',
  );
  const spoken = answers.map(({ headers, body, statusCode }) =>
    [JSON.stringify(headers), [200, 404].includes(statusCode) ? body.replaceAll(named, '') : body].join('\n'),
  );
  const output = [...spoken, test.logs(), ...admin.map(({ text }) => text)].join('\n');
  for (const said of ['token-suspected', 'platform-blocked', 'whoflake_platform_requests_total'])
    expect(output).toContain(said);
  const tokens = Array.from({ length: TOKENS }, (_, n) => sandbox.mintToken(n));
  const canaries = [...tokens, ...tokens.flatMap((token) => token.split('.')), CANARY_ID, UNKNOWN_ID];
  const lowered = output.toLowerCase();
  const isShown = (canary: string): boolean => lowered.includes(canary.toLowerCase());
  expect([...canaries, CANARY_ADDRESS].flatMap(spellingsOf).filter(isShown)).toEqual([]);
});

it('a token does not follow a redirect', async () => {
  const visitors: string[] = [];
  await using elsewhere = await startHttpServer((request, response) => {
    visitors.push(JSON.stringify(request.headers));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await using test = await startTestApp({ tokens: 2 });
  test.sandbox.faults.set({ redirect: { status: 307, to: `${elsewhere.url}/users/1` } });
  const response = await test.settle(test.lookUp(CANARY_ID));
  expect(verdictOf(response)).toBe('502 platform-failed');
  expect(response.headers['location']).toBeUndefined();
  expect(test.sandbox.stats().byStatus[307]).toBe(2);
  expect(visitors).toEqual([]);
});

it('a token is sent with the scheme for bots, to the address of a user or its own, and nowhere else', async () => {
  await using test = await startTestApp({ tokens: 20 });
  test.sandbox.faults.set({ chaos: 0.3 });
  await lookUpAll(test, distinctIds(100));
  test.sandbox.revokeAll();
  await lookUpAll(test, distinctIds(20, 100));
  const { requests, schemes, routes } = test.sandbox.stats();
  expect(requests).toBeGreaterThan(50);
  expect(schemes).toEqual({ Bot: requests });
  expect(Object.keys(routes).sort()).toEqual(['users/@me', 'users/{id}']);
});
