import type { LightMyRequestResponse } from 'fastify';
import { expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const DEFAULTS = { LOOKUPS_PER_MINUTE: '20', LOOKUPS_PER_DAY: '300' };
const CHALLENGE_BURST = 20;
const LOOKUP_BURST = 8;
const MINUTE_MS = 60_000;
const ALICE = '198.51.100.7';
const BOB = '203.0.113.9';

const startWithDefaults = (env: Record<string, string> = {}) =>
  startTestApp({ env: { ...DEFAULTS, ...env } });

type Visit = { readonly address: string; readonly headers?: Readonly<Record<string, string>> };

const askChallenge = ({ app }: TestApp, { address, headers = {} }: Visit): Promise<LightMyRequestResponse> =>
  app.server.inject({ url: '/challenge', remoteAddress: address, headers });

const askLookup = async ({ app }: TestApp, address: string, proof: string): Promise<LightMyRequestResponse> =>
  app.server.inject({
    method: 'POST',
    url: '/lookup',
    remoteAddress: address,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ discord_id: ID, proof }),
  });

const countAllowed = async (count: number, ask: () => Promise<LightMyRequestResponse>): Promise<number> => {
  let allowed = 0;
  for (let request = 0; request < count; request += 1) {
    const { statusCode } = await ask();
    if (statusCode !== 429) allowed += 1;
  }
  return allowed;
};

const expectRefusal = (response: LightMyRequestResponse, retryAfter: number): void => {
  expect([response.statusCode, response.json()]).toEqual([
    429,
    { error: 'You have made too many requests.', code: 'visitor-limit', retry_after: retryAfter },
  ]);
  expect(response.headers['retry-after']).toBe(String(retryAfter));
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['content-security-policy']).toBeDefined();
};

it('challenges are refused to one visitor and not to another, until the time that was named has passed', async () => {
  await using test = await startWithDefaults({ LOOKUPS_PER_MINUTE: '1' });
  const alice = () => askChallenge(test, { address: ALICE });
  expect((await alice()).statusCode).toBe(200);
  expectRefusal(await alice(), 20);
  expect((await askChallenge(test, { address: BOB })).statusCode).toBe(200);
  await test.system.advance(MINUTE_MS / 3 - 1);
  expectRefusal(await alice(), 1);
  await test.system.advance(1);
  expect((await alice()).statusCode).toBe(200);
});

it('lookups are refused after a first handful at once, and the proof is not spent', async () => {
  await using test = await startWithDefaults();
  const alice = () => askLookup(test, ALICE, '');
  // Without a proof nothing is counted: the form may be sent by mistake.
  expect(await countAllowed(50, alice)).toBe(50);
  const proofs: string[] = [];
  for (let count = 0; count < LOOKUP_BURST + 1; count += 1) proofs.push(await test.proof());
  const answers = [];
  for (const proof of proofs) answers.push(await askLookup(test, ALICE, proof));
  const [last, ...rest] = answers.toReversed();
  expect(rest.map(({ statusCode }) => statusCode)).toEqual(Array(LOOKUP_BURST).fill(200));
  expectRefusal(last as LightMyRequestResponse, 3);
  await test.system.advance(3_000);
  const unspent = await askLookup(test, ALICE, proofs.at(-1) ?? '');
  expect([unspent.statusCode, unspent.json().username]).toEqual([200, 'marlow.finch']);
});

const forged = (count: number) => ({
  'x-forwarded-for': `192.${count}.2.1`,
  'x-real-ip': `192.0.2.${count}`,
  forwarded: `for=192.0.2.${count}`,
  'cf-connecting-ip': `192.0.2.${count}`,
  'true-client-ip': `192.0.2.${count}`,
});

it.each([
  ['the peer, whatever the headers say, when no proxy is trusted', '', '127.0.0.1', CHALLENGE_BURST],
  ['the peer when another proxy is trusted', '10.0.0.0/8', ALICE, CHALLENGE_BURST],
  ['whom a trusted proxy names', '10.0.0.0/8', '10.1.2.3', 100],
])('a visitor is %s', async (_who, trusted, address, expected) => {
  await using test = await startWithDefaults({ TRUSTED_PROXIES: trusted });
  let count = 0;
  const ask = () => askChallenge(test, { address, headers: forged((count += 1)) });
  expect(await countAllowed(100, ask)).toBe(expected);
});
