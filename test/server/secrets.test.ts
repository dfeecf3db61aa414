import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { readAdmin } from '#test/support/admin-client.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { distinctIds, lookUpAll, verdictOf } from '#test/support/many-lookups.ts';
import { spellingsOf } from '#test/support/spellings.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const CANARY_ID = '397315982716370944';
const UNKNOWN_ID = '794354273277177873';
const CANARY_ADDRESS = '203.0.113.77';
const TOKENS = 12;

const canariesOf = ({ sandbox }: TestApp): string[] => {
  const tokens = Array.from({ length: TOKENS }, (_, n) => sandbox.mintToken(n));
  const segments = tokens.flatMap((token) => token.split('.'));
  return [...tokens, ...segments, CANARY_ID, CANARY_ADDRESS].flatMap(spellingsOf);
};

/** Each makes the platform fail in another way; together they lead through every branch that handles an answer. */
const FAULTS: readonly FaultSettings[] = [
  {},
  { status: 500 },
  { html200: true },
  { rawBody: '{' },
  { oversize: true },
  { gzipBomb: true },
  { truncate: true },
  { reset: true },
  { hang: true },
  { wrongId: { value: true, count: 1 } },
  { userRateLimit: true },
  { globalRateLimit: true },
  { sharedRateLimit: true },
  { redirect: { status: 302, to: 'http://127.0.0.1:9/' } },
  { blocked40333: true },
  { ban: 'html' },
];

const lookUpFromCanaryAddress = async (test: TestApp, id: string): Promise<LightMyRequestResponse> =>
  test.settle(
    test.postLookup({ discord_id: id, proof: await test.proof() }, { 'x-forwarded-for': CANARY_ADDRESS }),
  );

const collectOutput = async (test: TestApp): Promise<string> => {
  const answers: LightMyRequestResponse[] = [];
  for (const faults of FAULTS) {
    test.sandbox.faults.set(faults);
    answers.push(await lookUpFromCanaryAddress(test, CANARY_ID));
    test.sandbox.faults.clear();
    // Past the cache, and past any pause but a ban's.
    await test.system.advance(650_000);
  }
  test.sandbox.revokeAll();
  for (let n = 0; n < TOKENS / 3 + 1; n += 1) answers.push(await lookUpFromCanaryAddress(test, CANARY_ID));
  for (const body of ['{', `{"discord_id":"${CANARY_ID}"}`, `{"${CANARY_ID}":1}`, `"${CANARY_ID}"`]) {
    answers.push(await test.postLookup(body, { 'x-forwarded-for': CANARY_ADDRESS }));
  }
  const admin = await Promise.all(['/metrics', '/readyz', '/livez'].map((path) => readAdmin(test.app, path)));
  const spoken = answers.map(
    // A profile names whose it is; no other answer does.
    ({ headers, body, statusCode }) =>
      `${JSON.stringify(headers)}\n${statusCode === 200 ? body.replace(`"id":"${CANARY_ID}"`, '') : body}`,
  );
  const verdicts = new Set(answers.map(verdictOf));
  expect(verdicts).toEqual(
    new Set([
      '200',
      '502 platform-failed',
      '504 platform-timeout',
      '503 platform-paused',
      '503 pool-busy',
      '503 pool-empty',
      '400 bad-request',
      '400 proof-missing',
    ]),
  );
  return [...spoken, test.logs(), ...admin.map(({ text }) => text)].join('\n');
};

describe('tokens, looked-up ids and addresses of visitors', () => {
  it('are in no answer, log line or metric, whatever goes wrong', async () => {
    await using test = await startTestApp({ tokens: TOKENS, env: { TRUSTED_PROXIES: '127.0.0.1/32' } });
    const canaries = canariesOf(test);
    // The links to a profile's own pictures must name it.
    const links = new RegExp(String.raw`"(?:http:|/picture)/[^"]+/(?:avatars|banners)/${CANARY_ID}/`, 'g');
    const output = (await collectOutput(test)).replaceAll(links, '');
    expect(output).toContain('token-suspected');
    expect(output).toContain('platform-blocked');
    expect(output).toContain('whoflake_platform_requests_total');
    const lowered = output.toLowerCase();
    expect(canaries.filter((canary) => lowered.includes(canary.toLowerCase()))).toEqual([]);
  });

  it('are not in the log of a lookup that finds nobody; only its answer names the id', async () => {
    await using test = await startTestApp();
    const answer = await test.lookUp(UNKNOWN_ID);
    expect([answer.statusCode, answer.json().id]).toEqual([404, UNKNOWN_ID]);
    const { text } = await readAdmin(test.app, '/metrics');
    expect(`${JSON.stringify(answer.headers)}${test.logs()}${text}`).not.toContain(UNKNOWN_ID);
  });
});

describe('a token', () => {
  it.each([301, 302, 307, 308] as const)('does not follow a redirect by %i', async (status) => {
    const visitors: string[] = [];
    await using elsewhere = await startHttpServer((request, response) => {
      visitors.push(JSON.stringify(request.headers));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await using test = await startTestApp({ tokens: 2 });
    test.sandbox.faults.set({ redirect: { status, to: `${elsewhere.url}/users/1` } });
    const response = await test.settle(test.lookUp(CANARY_ID));
    expect(verdictOf(response)).toBe('502 platform-failed');
    expect(response.headers['location']).toBeUndefined();
    expect(test.sandbox.stats().byStatus[status]).toBe(2);
    expect(visitors).toEqual([]);
  });

  it('is sent with the scheme for bots, to the address of a user or its own, and nowhere else', async () => {
    await using test = await startTestApp({ tokens: 20 });
    test.sandbox.faults.set({ chaos: 0.3 });
    await lookUpAll(test, [...distinctIds(100), CANARY_ID, UNKNOWN_ID]);
    test.sandbox.revokeAll();
    await lookUpAll(test, distinctIds(20, 100));
    const { requests, schemes, routes } = test.sandbox.stats();
    expect(requests).toBeGreaterThan(50);
    expect(schemes).toEqual({ Bot: requests });
    expect(Object.keys(routes).sort()).toEqual(['users/@me', 'users/{id}']);
  });
});
