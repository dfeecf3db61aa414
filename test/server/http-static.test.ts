import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Status } from '#shared/contract/status.ts';
import { startTestApp, useTestApp } from '#test/support/test-app.ts';

const test = await useTestApp();

const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  test.app.server.inject({ method, url: '/', headers });
const etagOf = async (headers: Record<string, string> = {}): Promise<string> =>
  String((await get(headers)).headers['etag']);

const PAGE = '<h1>Lookup</h1>'.repeat(100);
const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

it.each([
  ['gzip, deflate, BR, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.1', 'br'],
  ['br; q=0.0, gzip; q=0.5', 'gzip'],
  ['brotli, xgzip', 'identity'],
  [undefined, 'identity'],
] as const)('the encoding of a page for %j is %s', async (accepted, coding) => {
  const { headers, rawPayload } = await get(accepted === undefined ? {} : { 'accept-encoding': accepted });
  expect(headers['content-encoding'] ?? 'identity').toBe(coding);
  expect(headers['vary']).toBe('accept-encoding');
  expect(headers['content-length']).toBe(String(rawPayload.length));
  expect(decode[coding](rawPayload).toString()).toBe(PAGE);
});

describe('a page that the browser already has', () => {
  it.each([
    ['TAG', true],
    ['W/TAG', true],
    ['"a",W/TAG ,"b"', true],
    ['w/TAG', false],
  ])('is known by If-None-Match %s: %s', async (header, isKnown) => {
    const known = header.replace('TAG', await etagOf());
    expect((await get({ 'if-none-match': known })).statusCode).toBe(isKnown ? 304 : 200);
  });

  it('is not sent again, in any encoding', async () => {
    const etags = new Set<string>();
    for (const accepted of ['br', 'gzip', 'identity']) {
      const encoding = { 'accept-encoding': accepted };
      const etag = await etagOf(encoding);
      const again = await get({ ...encoding, 'if-none-match': etag });
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
      expect(again.headers).not.toHaveProperty('content-encoding');
      etags.add(etag);
    }
    expect(etags.size).toBe(3);
  });

  it('is told of by HEAD as by GET, without the body', async () => {
    const encoding = { 'accept-encoding': 'br' };
    const [got, headed] = [await get(encoding), await get(encoding, 'HEAD')];
    expect({ ...headed.headers, date: '' }).toEqual({ ...got.headers, date: '' });
    expect(headed.body).toBe('');
  });
});

it('the status page has the counts of the moment, is asked for again each time, and is rendered once a second', async () => {
  await using own = await startTestApp({ tokens: 2 });
  const read = () => own.app.server.inject({ url: '/status', headers: { 'accept-encoding': 'identity' } });
  const before = await read();
  expect(before.json()).toEqual((await own.app.server.inject('/status.json')).json());
  expect(before.headers['cache-control']).toBe('no-cache');
  await own.lookUp('441997505123577857');
  expect((await read()).body).toBe(before.body);
  await own.pass(1_000);
  const after = await read();
  expect(after.json<Status>().lookups_last_hour.served).toBe(1);
  expect(after.headers['etag']).not.toBe(before.headers['etag']);
});

it('security.txt leads to the contact page, and never expires while the site runs', async () => {
  test.system.skewWall(400 * 86_400_000);
  const { body } = await test.app.server.inject('/.well-known/security.txt');
  expect(body).toMatch(/^Contact: https?:\/\/.+\/contact$/m);
  const [, expires = ''] = /^Expires: (.+)$/m.exec(body) ?? [];
  expect((Date.parse(expires) - test.system.clock.wallMs()) / 86_400_000).toBeCloseTo(180);
});

it('a link to a profile is one page for all IDs, which is not listed by search engines', async () => {
  const open = (id: string) => test.app.server.inject(`/?id=${id}`);
  const [one, other] = [await open('441997505123577857'), await open('441997505123577858')];
  expect(one.body).toContain('<h1>Link</h1>');
  expect([other.body, other.headers['etag']]).toEqual([one.body, one.headers['etag']]);
  expect(one.headers['x-robots-tag']).toBe('noindex');
  // What the page could not fill in as it stands.
  for (const id of ['12345', '0441997505123577857', '%20441997505123577857', 'x', '1&id=441997505123577857'])
    expect((await open(id)).body).toBe(PAGE);
});
