import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
/** What a deployment has that sets nothing. */
const DEFAULTS = { CHALLENGES_PER_MINUTE: '60', LOOKUPS_PER_MINUTE: '20', LOOKUPS_PER_DAY: '300' };
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

/** How many of `count` requests in a row are let through. */
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
    {
      error: 'You have made too many requests.',
      code: 'visitor-limit',
      retry_after: retryAfter,
    },
  ]);
  expect(response.headers['retry-after']).toBe(String(retryAfter));
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['content-security-policy']).toBeDefined();
};

describe('challenges', () => {
  it('come at most 60 a minute, after a first handful at once', async () => {
    await using test = await startWithDefaults();
    const alice = () => askChallenge(test, { address: ALICE });
    expect(await countAllowed(CHALLENGE_BURST + 5, alice)).toBe(CHALLENGE_BURST);
    expectRefusal(await alice(), 1);
    let allowed = 0;
    for (let second = 0; second < 60; second += 1) {
      await test.system.advance(1_000);
      allowed += await countAllowed(3, alice);
    }
    expect(allowed).toBe(60);
  });

  it('are refused to one visitor and not to another', async () => {
    await using test = await startWithDefaults();
    await countAllowed(CHALLENGE_BURST + 1, () => askChallenge(test, { address: ALICE }));
    expectRefusal(await askChallenge(test, { address: ALICE }), 1);
    expect((await askChallenge(test, { address: BOB })).statusCode).toBe(200);
  });

  it('come again when the time that was named has passed', async () => {
    await using test = await startWithDefaults({ CHALLENGES_PER_MINUTE: '1' });
    const alice = () => askChallenge(test, { address: ALICE });
    expect((await alice()).statusCode).toBe(200);
    expectRefusal(await alice(), 60);
    await test.system.advance(MINUTE_MS - 1);
    expectRefusal(await alice(), 1);
    await test.system.advance(1);
    expect((await alice()).statusCode).toBe(200);
  });

  it('get harder for whoever asks much, and easier again, and never for others', async () => {
    await using test = await startWithDefaults();
    const difficulty = async (address: string): Promise<number> =>
      (await askChallenge(test, { address })).json<{ maxnumber: number }>().maxnumber;
    const seen = new Set<number>();
    for (let request = 0; request < CHALLENGE_BURST; request += 1) seen.add(await difficulty(ALICE));
    expect([...seen]).toEqual([1_000, 2_000, 4_000]);
    expect(await difficulty(BOB)).toBe(1_000);
    await test.system.advance(MINUTE_MS);
    expect(await difficulty(ALICE)).toBe(1_000);
  });
});

describe('lookups', () => {
  it('are 20 a minute, after a first handful at once', async () => {
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

  it('are 300 a day at most, however they are spread', async () => {
    await using test = await startWithDefaults({ CHALLENGES_PER_MINUTE: '10000' });
    let answered = 0;
    for (let round = 0; round < 24 * 20; round += 1) {
      const { statusCode } = await askLookup(test, ALICE, await test.proof());
      if (statusCode === 200) answered += 1;
      await test.system.advance((24 * 60 * MINUTE_MS) / (24 * 20));
    }
    expect(answered).toBeLessThanOrEqual(300);
    expect(answered).toBeGreaterThanOrEqual(290);
  });

  it('with a bad proof are not counted, so that they take nothing from others behind the address', async () => {
    await using test = await startWithDefaults();
    expect(await countAllowed(20, () => askLookup(test, ALICE, 'bad'))).toBe(20);
    expect((await askLookup(test, ALICE, await test.proof())).statusCode).toBe(200);
  });
});

describe('who is who', () => {
  const forged = (count: number): Visit['headers'] => ({
    'x-forwarded-for': `192.0.2.${count}`,
    'x-real-ip': `192.0.2.${count}`,
    forwarded: `for=192.0.2.${count}`,
    'cf-connecting-ip': `192.0.2.${count}`,
    'true-client-ip': `192.0.2.${count}`,
  });
  const admitted = async (test: TestApp, visits: readonly Visit[]): Promise<number> => {
    const queue = [...visits];
    return countAllowed(visits.length, () => askChallenge(test, queue.shift() as Visit));
  };
  const visits = (count: number, visit: (index: number) => Visit): Visit[] =>
    Array.from({ length: count }, (_, index) => visit(index));

  it('is the peer, whatever the headers say, when no proxy is trusted', async () => {
    await using test = await startWithDefaults();
    const spoofing = visits(100, (index) => ({ address: '127.0.0.1', headers: forged(index) ?? {} }));
    expect(await admitted(test, spoofing)).toBe(CHALLENGE_BURST);
  });

  it('is the peer when another proxy is trusted', async () => {
    await using test = await startWithDefaults({ TRUSTED_PROXIES: '10.0.0.0/8' });
    const spoofing = visits(100, (index) => ({ address: ALICE, headers: forged(index) ?? {} }));
    expect(await admitted(test, spoofing)).toBe(CHALLENGE_BURST);
  });

  it('is whom a trusted proxy names, and only by X-Forwarded-For', async () => {
    await using test = await startWithDefaults({ TRUSTED_PROXIES: '10.0.0.0/8' });
    const named = visits(100, (index) => ({
      address: '10.1.2.3',
      headers: { 'x-forwarded-for': `192.${index}.2.1` },
    }));
    expect(await admitted(test, named)).toBe(100);
    const byOtherHeaders = visits(100, (index) => {
      const { 'x-forwarded-for': _, ...rest } = forged(index) ?? {};
      return { address: '10.9.9.9', headers: rest };
    });
    expect(await admitted(test, byOtherHeaders)).toBe(CHALLENGE_BURST);
  });

  it('is not chosen by what a client put in front of the proxy’s word', async () => {
    await using test = await startWithDefaults({ TRUSTED_PROXIES: '10.0.0.0/8' });
    const prefixed = visits(100, (index) => ({
      address: '10.1.2.3',
      headers: { 'x-forwarded-for': `192.${index}.2.1, ${ALICE}` },
    }));
    expect(await admitted(test, prefixed)).toBe(CHALLENGE_BURST);
  });

  it('is a whole /64 for IPv6, and one address for IPv4 in whatever spelling', async () => {
    await using test = await startWithDefaults();
    const hopping = visits(100, (index) => ({ address: `2001:db8::${(index + 1).toString(16)}` }));
    expect(await admitted(test, hopping)).toBe(CHALLENGE_BURST);
    const spellings = visits(100, (index) => ({ address: index % 2 === 0 ? BOB : `::ffff:${BOB}` }));
    expect(await admitted(test, spellings)).toBe(CHALLENGE_BURST);
  });

  it('is also a neighbourhood: a /24 gets eight times as much as one of its addresses', async () => {
    await using test = await startWithDefaults();
    const neighbours = visits(254 * 2, (index) => ({ address: `192.0.2.${(index % 254) + 1}` }));
    expect(await admitted(test, neighbours)).toBe(8 * CHALLENGE_BURST);
  });
});
