import { once } from 'node:events';
import { get, type IncomingMessage, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProfileAnswer } from '#shared/contract/profile.ts';
import { inForm, PNG, sendPng, useImageServer } from './image-server.ts';
import { startTestApp, useTestApp, type TestApp } from '#test/support/test-app.ts';
import { listenPublicly } from './visitor.ts';

const ANIMATED = '776367000573177858';
const TAGGED = '856418480084217864';
const MEGABYTE = 2 ** 20;

const cdn = await useImageServer();
const test = await useTestApp({ cdnUrl: cdn.url, tokens: 4 });
const origin = await listenPublicly(test);
afterEach(async () => {
  cdn.answerWith(sendPng);
  cdn.asked.length = 0;
  // After failures the CDN is left alone for a while.
  await test.system.advance(60_000);
});

const profileOf = async (id: string): Promise<ProfileAnswer> => (await test.lookUp(id)).json();
const { pictures } = await profileOf(ANIMATED);
const fetchPicture = (url: string, headers = {}) =>
  test.settle(test.app.server.inject({ url, headers }), 60_000);
const codeOf = async (url: string): Promise<[number, string]> => {
  const { statusCode, body } = await fetchPicture(url);
  return [statusCode, (JSON.parse(body) as { code: string }).code];
};
/** One that is not kept from a test before. */
let unused = 20;
const nextPicture = (): string => inForm(pictures.avatar_url, (unused += 1));

describe('the pictures of a profile', () => {
  it('are all to be had at addresses of ours, as on the CDN, and without any token', async () => {
    const { pictures: tagged, badge_url: badge } = await profileOf(TAGGED);
    const { expires_at: until, nameplate, ...others } = pictures;
    const urls = [...Object.values(others), ...Object.values(nameplate ?? {}), tagged.badge_url];
    const ours = urls.filter((url) => url !== null);
    expect(ours).toHaveLength(6);
    expect(Date.parse(until) - test.system.clock.wallMs()).toBeGreaterThanOrEqual(6 * 3_600_000);
    for (const url of ours) {
      const { statusCode, headers, rawPayload } = await fetchPicture(url);
      expect([statusCode, headers['content-type'], rawPayload]).toEqual([200, 'image/png', PNG]);
      expect(headers['cache-control']).toBe('private, max-age=21600, immutable');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-length']).toBe(`${PNG.length}`);
    }
    expect(cdn.asked.map(({ url }) => `${cdn.url}${url}`)).toContain(badge);
    for (const { headers } of cdn.asked) expect(headers).not.toHaveProperty('authorization');
  });

  it('come in every form and size that is offered, and in no other; they are kept for ten minutes', async () => {
    const at = (form: string): string => pictures.avatar_url.replace(/\.webp.*/, form);
    for (const form of ['.png?size=64', '.webp?size=4096&animated=true', '.gif?size=128'])
      for (let n = 0; n < 3; n += 1) expect((await fetchPicture(at(form))).rawPayload).toEqual(PNG);
    expect(cdn.asked).toHaveLength(3);
    for (const form of ['.png?size=63', '.svg?size=64', '.png?size=64&x=1', '.html'])
      expect(await codeOf(at(form))).toEqual([404, 'not-found']);
    await test.system.advance(600_000);
    await fetchPicture(at('.png?size=64'));
    expect(cdn.asked).toHaveLength(4);
  });
});

describe('the address of a picture', () => {
  it('that is not ours is refused, and the CDN not asked', async () => {
    const { avatar_url: own, banner_url: banner } = pictures;
    const [, , pass = ''] = own.split('/');
    const other = /[^A]$/.test(pass) ? 'A' : 'B';
    for (const foreign of [
      own.replace(pass, pass.slice(0, -1) + other),
      own.replace(pass, `9${pass}`),
      own.replace(/\.webp.*/, '/%2e%2e/%2e%2e/x.png'),
      own.replace(ANIMATED, '441997505123577857'),
      String(banner).replace(/picture\/[^/]+/, `picture/${pass}`),
    ])
      expect(await codeOf(foreign)).toEqual([403, 'picture-refused']);
    for (const nonsense of ['/picture/x', `/picture/${pass}/`])
      expect(await codeOf(nonsense)).toEqual([404, 'not-found']);
    expect((await fetchPicture(own, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await test.app.server.inject({ method: 'HEAD', url: own })).statusCode).toBe(404);
    expect(cdn.asked).toEqual([]);
  });

  it('of another site is refused; of another run of ours it is not, until it expires', async () => {
    const askAt = async (site: TestApp) => (await site.app.server.inject(pictures.avatar_url)).json<object>();
    await using stranger = await startTestApp({ seed: 2, cdnUrl: cdn.url });
    expect(await askAt(stranger)).toMatchObject({ code: 'picture-refused' });
    await using again = await startTestApp({ dataDir: test.dataDir, seed: 3, cdnUrl: cdn.url });
    expect((await again.app.server.inject(pictures.avatar_url)).statusCode).toBe(200);
    await again.pass(Date.parse(pictures.expires_at) - again.system.clock.wallMs(), 3_600_000);
    expect(await askAt(again)).toEqual({
      error: 'This picture’s address has expired. Look the profile up again.',
      code: 'picture-expired',
    });
  });
});

const SECRET = 'Not for visitors.';
const HTML = `<!doctype html><script>alert("${SECRET}")</script>`;
const say =
  (status: number, type: string, body: string | Buffer, more: object = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': type, ...more }).end(body);

describe('an image server', () => {
  it.each<[what: string, answer: RequestListener, refusal?: string]>([
    ['HTML as a picture', say(200, 'image/png', HTML)],
    ['a picture as HTML', say(200, 'text/html', PNG)],
    ['a redirect', say(302, 'image/png', PNG, { location: `${cdn.url}/private` })],
    ['a refusal', say(403, 'text/plain', SECRET)],
    ['that there is none', say(404, 'text/plain', SECRET), '404 not-found'],
    ['too much', say(200, 'image/png', PNG, { 'content-length': 11 * MEGABYTE })],
    ['a broken line', (request) => void request.socket.destroy()],
    [
      'a beginning, and then silence',
      (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).write(PNG),
      '504 picture-timeout',
    ],
  ])('that sends %s', async (_what, answer, refusal = '502 picture-failed') => {
    cdn.answerWith(answer);
    const { statusCode, headers, body } = await fetchPicture(nextPicture());
    expect(`${statusCode} ${(JSON.parse(body) as { code: string }).code}`).toBe(refusal);
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.stringify(headers) + body).not.toMatch(/Not for visitors|private|127\.0\.0\.1:/);
    expect(test.logs()).not.toMatch(/avatars|127\.0\.0\.1:/);
    expect(cdn.asked).toHaveLength(1);
  });

  it.each([
    ['image/webp', 'RIFF\n\0\0\0WEBP'],
    ['image/gif', 'GIF89a'],
    ['image/jpeg', '\u00FF\u00D8\u00FF'],
  ])('that sends an %s as another kind of picture is corrected', async (type, text) => {
    cdn.answerWith(say(200, 'image/png', Buffer.from(text, 'latin1')));
    expect((await fetchPicture(nextPicture())).headers['content-type']).toBe(type);
  });

  it('that sends more than it may is cut off', async () => {
    cdn.answerWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).write(PNG);
      response.end(Buffer.alloc(11 * MEGABYTE));
    });
    await expect(readWhole(nextPicture())).rejects.toThrow(/aborted/);
  });

  it('that sends large pictures is asked for the next one as soon as one is read', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(2 * MEGABYTE)]);
    cdn.answerWith(say(200, 'image/png', large));
    for (let n = 0; n < 25; n += 1) expect(await readWhole(nextPicture())).toBe(large.length);
  });
});

const readWhole = async (url: string): Promise<number> => {
  const [response] = (await once(get(`${origin}${url}`, { agent: false }), 'response')) as [IncomingMessage];
  let size = 0;
  for await (const chunk of response) size += (chunk as Buffer).length;
  return size;
};

it('a visitor who asks for too many pictures is told to wait, and others are not', async () => {
  await using site = await startTestApp({ cdnUrl: cdn.url, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const { pictures: own } = (await site.lookUp(ANIMATED)).json<ProfileAnswer>();
  const ask = (from: string) =>
    site.app.server.inject({ url: own.avatar_url, headers: { 'x-forwarded-for': from } });
  for (let n = 0; n < 100; n += 1) expect((await ask('192.0.2.1')).statusCode).toBe(200);
  expect((await ask('192.0.2.1')).json()).toMatchObject({ code: 'visitor-limit' });
  expect((await ask('198.51.100.1')).statusCode).toBe(200);
});
