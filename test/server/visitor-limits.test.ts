import type { LightMyRequestResponse } from 'fastify';
import { expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const DEFAULTS = { LOOKUPS_PER_MINUTE: '20' };
const CHALLENGE_BURST = 20;
const LOOKUP_BURST = 8;
const ALICE = '198.51.100.7';
const BOB = '203.0.113.9';

const startWithDefaults = (env: Record<string, string> = {}) =>
  startTestApp({ env: { ...DEFAULTS, ...env } });

const askChallenge = ({ app }: TestApp, remoteAddress: string, headers: Record<string, string> = {}) =>
  app.server.inject({ url: '/challenge', remoteAddress, headers });

const askLookup = ({ app }: TestApp, remoteAddress: string, proof: string) =>
  app.server.inject({
    method: 'POST',
    url: '/lookup',
    remoteAddress,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ discord_id: '441997505123577857', proof }),
  });

const expectRefusal = (response: LightMyRequestResponse | undefined, retryAfter: number): void => {
  expect([response?.statusCode, response?.json()]).toEqual([
    429,
    { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: retryAfter },
  ]);
  expect(response?.headers).toMatchObject({ 'retry-after': `${retryAfter}`, 'cache-control': 'no-store' });
};

it('challenges are refused to one visitor and not to another, until the time that was named has passed', async () => {
  await using test = await startWithDefaults({ LOOKUPS_PER_MINUTE: '1' });
  expect((await askChallenge(test, ALICE)).statusCode).toBe(200);
  expectRefusal(await askChallenge(test, ALICE), 20);
  expect((await askChallenge(test, BOB)).statusCode).toBe(200);
  await test.system.advance(20_000 - 1);
  expectRefusal(await askChallenge(test, ALICE), 1);
  await test.system.advance(1);
  expect((await askChallenge(test, ALICE)).statusCode).toBe(200);
});

it('lookups are refused after a first handful at once, and the proof is not spent', async () => {
  await using test = await startWithDefaults();
  // Without a proof nothing is counted: the form may be sent by mistake.
  for (let n = 0; n < 50; n += 1) expect((await askLookup(test, ALICE, '')).statusCode).toBe(400);
  const answers = [];
  let proof = '';
  for (let n = 0; n <= LOOKUP_BURST; n += 1) {
    proof = await test.proof();
    answers.push(await askLookup(test, ALICE, proof));
  }
  expectRefusal(answers.pop(), 3);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(LOOKUP_BURST).fill(200));
  await test.system.advance(3_000);
  expect((await askLookup(test, ALICE, proof)).statusCode).toBe(200);
});

it.each([
  ['the peer, whatever the headers say, when no proxy is trusted', '', '127.0.0.1', CHALLENGE_BURST],
  ['the peer when another proxy is trusted', '10.0.0.0/8', ALICE, CHALLENGE_BURST],
  ['whom a trusted proxy names', '10.0.0.0/8', '10.1.2.3', 100],
])('limits count as a visitor %s', async (_who, trusted, address, expected) => {
  await using test = await startWithDefaults({ TRUSTED_PROXIES: trusted });
  let allowed = 0;
  for (let n = 0; n < 100; n += 1) {
    const headers = { forwarded: `for=192.0.2.${n}`, 'x-forwarded-for': `192.${n}.2.1` };
    if ((await askChallenge(test, address, headers)).statusCode === 200) allowed += 1;
  }
  expect(allowed).toBe(expected);
});
