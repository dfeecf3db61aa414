import { describe, expect, it } from 'vitest';
import { answerOf } from './plain-refusal.ts';
import { startTestApp, useTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';

const test = await useTestApp();

it.each(['cross-site', 'same-site', 'same-origin, cross-site', ''])(
  'a post from the site %j is refused, and its proof not spent',
  async (site) => {
    const proof = await test.proof();
    const response = await test.postLookup({ discord_id: ID, proof }, { 'sec-fetch-site': site });
    expect(answerOf(response)).toEqual([403, 'cross-site']);
    expect((await test.postLookup({ discord_id: ID, proof })).statusCode).toBe(200);
  },
);

it('a challenge that is asked for from another site costs the visitor nothing', async () => {
  await using strict = await startTestApp({ env: { LOOKUPS_PER_MINUTE: '1' } });
  const askFrom = (site: string) =>
    strict.app.server.inject({ url: '/challenge', headers: { 'sec-fetch-site': site } });
  for (const site of ['cross-site', 'same-site'])
    expect(answerOf(await askFrom(site))).toEqual([403, 'cross-site']);
  expect((await askFrom('same-origin')).statusCode).toBe(200);
});

describe('the origin of a post,', () => {
  it.each([
    ['http://localhost:8080', 'PUBLIC_URL, behind whatever name', {}],
    ['http://127.0.0.1:9000', 'the address that was asked', { host: '127.0.0.1:9000' }],
    ['http://[::1]:9000', 'the IPv6 address that was asked', { host: '[::1]:9000' }],
    ['https://localhost:8443', 'the host that was asked, by TLS', { host: 'localhost:8443' }],
    ['null', 'ours if the browser vouches for it', { 'sec-fetch-site': 'same-origin' }],
    ['http://localhost:8080', 'ours as well if the browser says nothing of it', { 'sec-fetch-site': 'none' }],
  ])('%s is %s', async (origin, _whose, headers) => {
    const response = await test.postLookup({}, { origin, ...(headers as Record<string, string>) });
    expect(answerOf(response)).toEqual([400, 'id-missing']);
  });

  it.each(['http://evil.example:8080', 'null'])(
    '%j is foreign, though its name was made to lead here, and the browser vouches for it',
    async (origin) => {
      const headers = { origin, host: 'evil.example:8080', 'sec-fetch-site': 'same-origin' };
      expect(answerOf(await test.postLookup({}, headers))).toEqual([403, 'cross-site']);
    },
  );

  it.each([
    'https://evil.example',
    'http://localhost:8080.evil.example',
    'https://localhost:8080',
    'null',
    '',
  ])('%j is foreign', async (origin) => {
    for (const url of ['/lookup', '/donate-token', '/withdraw-token']) {
      const response = await test.app.server.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', host: 'lookup.example', origin },
        payload: '{}',
      });
      expect(answerOf(response)).toEqual([403, 'cross-site']);
    }
  });
});
