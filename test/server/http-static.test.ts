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

describe('the page of a link to a profile', () => {
  const ID = '441997505123577857';
  const open = (from: string, id = ID) => test.app.server.inject({ url: `/?id=${id}`, remoteAddress: from });

  it('is the plain one for an address that asks for more than sixty in a minute, and not for others', async () => {
    const bodies: string[] = [];
    for (let n = 0; n < 61; n += 1) {
      bodies.push((await open('198.51.100.1', `${BigInt(ID) + BigInt(n)}`)).body);
      if (n === 30) await test.system.advance(1_000);
    }
    expect(bodies.map((body) => body === PAGE)).toEqual([...Array(60).fill(false), true]);
    await test.system.advance(1_000);
    expect((await open('198.51.100.2')).body).toContain(ID);
    await test.system.advance(60_000);
    const again = await open('198.51.100.1');
    expect([again.body.includes(ID), again.headers['x-robots-tag']]).toEqual([true, 'noindex']);
  });

  it('is the plain one for everybody once fifty were sent within a second', async () => {
    await test.system.advance(60_000);
    for (let n = 1; n <= 50; n += 1) expect((await open(`203.0.113.${n}`)).body).toContain(ID);
    expect((await open('203.0.113.51')).body).toBe(PAGE);
    await test.system.advance(1_000);
    expect((await open('203.0.113.51')).body).toContain(ID);
  });
});
