import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import type { ProfileAnswer } from '#shared/contract/profile.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { inForm, PNG, sendPng, useImageServer } from './image-server.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { listenPublicly } from './visitor.ts';

const ANIMATED = '776367000573177858';
const OTHER = '856418480084217864';
/** More than the buffers on the way hold. */
const LARGE = Buffer.concat([PNG, Buffer.alloc(9 * 2 ** 20)]);

const cdn = await useImageServer();
afterEach(() => {
  cdn.answerWith(sendPng);
  cdn.asked.length = 0;
});

/** A site behind a proxy, so that visitors have addresses of their own. */
const startSite = () => startTestApp({ cdnUrl: cdn.url, env: { TRUSTED_PROXIES: '127.0.0.1' }, tokens: 4 });

const avatarOf = async (site: TestApp, id: string): Promise<string> =>
  (await site.settle(site.lookUp(id))).json<ProfileAnswer>().pictures.avatar_url;

const ask = (site: TestApp, url: string, from: string) =>
  site.settle(site.app.server.inject({ url, headers: { 'x-forwarded-for': from } }));

it('an image server that wants us to wait is left alone so long', async () => {
  await using site = await startSite();
  const url = await avatarOf(site, ANIMATED);
  cdn.answerWith((_request, response) => void response.writeHead(429, { 'retry-after': '600' }).end());
  for (let n = 0; n < 10; n += 1) {
    const { statusCode, headers } = await ask(site, inForm(url, n), `192.0.${n}.1`);
    expect([statusCode, headers['retry-after']]).toEqual([503, '600']);
  }
  expect(cdn.asked).toHaveLength(1);
  cdn.answerWith(sendPng);
  await site.system.advance(600_000);
  expect((await ask(site, url, '192.0.2.1')).statusCode).toBe(200);
});

it('a picture that many want is fetched once', async () => {
  await using site = await startSite();
  const url = await avatarOf(site, ANIMATED);
  let answer = (): void => {};
  cdn.answerWith((_request, response) => {
    answer = () => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
  });
  const all = Array.from({ length: 30 }, (_, n) => ask(site, url, `192.0.${n}.1`));
  await vi.waitFor(() => expect(cdn.asked).toHaveLength(1), EVENTUALLY);
  answer();
  for (const { statusCode } of await Promise.all(all)) expect(statusCode).toBe(200);
  expect(cdn.asked).toHaveLength(1);
});

it(
  'sixteen addresses that read slowly leave every picture to another visitor',
  { tags: ['slow'] },
  async () => {
    await using site = await startSite();
    const [hostile, mine] = [await avatarOf(site, ANIMATED), await avatarOf(site, OTHER)];
    const origin = await listenPublicly(site);
    cdn.answerWith((request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.end(request.url?.includes(ANIMATED) ? LARGE : PNG);
    });
    const slow = await Promise.all(
      Array.from({ length: 80 }, async (_, n) => {
        const headers = { 'x-forwarded-for': `2001:db8:${n % 16}::${n}` };
        const [response] = (await once(
          get(`${origin}${inForm(hostile, n)}`, { agent: false, headers }),
          'response',
        )) as [IncomingMessage];
        return response.on('error', () => {}).pause();
      }),
    );
    expect(slow.filter(({ statusCode }) => statusCode === 200)).toHaveLength(40);
    for (let n = 0; n < 10; n += 1)
      expect((await ask(site, inForm(mine, n), '203.0.113.1')).statusCode).toBe(200);
    // Who takes nothing is cut off, and the places are free again.
    await site.pass(6_000);
    for (let n = 0; n < 10; n += 1)
      expect((await ask(site, inForm(mine, 30 + n), `203.0.${n}.1`)).statusCode).toBe(200);
    for (const response of slow) response.destroy();
  },
);

it('a network has only so many pictures under way at a time, and none of them is taken from others', async () => {
  await using site = await startSite();
  const [hostile, mine] = [await avatarOf(site, ANIMATED), await avatarOf(site, OTHER)];
  const origin = await listenPublicly(site);
  const answers: (() => void)[] = [];
  cdn.answerWith((request, response) => {
    const answer = (): void => sendPng(request, response);
    if (request.url?.includes(ANIMATED)) answers.push(answer);
    else answer();
  });
  const statuses = Array.from({ length: 25 }, async (_, n) => {
    const headers = { 'x-forwarded-for': `192.0.2.${n}` };
    return (await fetch(`${origin}${inForm(hostile, n)}`, { headers })).status;
  });
  await vi.waitFor(() => expect(answers).toHaveLength(20), EVENTUALLY);
  expect((await ask(site, mine, '203.0.113.1')).statusCode).toBe(200);
  for (const answer of answers) answer();
  expect((await Promise.all(statuses)).filter((status) => status === 200)).toHaveLength(20);
  cdn.answerWith(sendPng);
  expect((await ask(site, inForm(hostile, 30), '192.0.2.1')).statusCode).toBe(200);
});

it(
  'a network that has fetched 64 MiB of pictures waits for more, and others get theirs',
  { tags: 'slow' },
  async () => {
    await using site = await startSite();
    const url = await avatarOf(site, ANIMATED);
    cdn.answerWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(LARGE);
    });
    const statuses: number[] = [];
    for (let n = 0; n < 10; n += 1)
      statuses.push((await ask(site, inForm(url, n), `192.0.2.${n}`)).statusCode);
    expect(statuses).toEqual([...Array<number>(8).fill(200), 503, 503]);
    expect(cdn.asked).toHaveLength(8);
    expect((await ask(site, inForm(url, 20), '203.0.113.1')).statusCode).toBe(200);
    await site.system.advance(60_000);
    expect((await ask(site, inForm(url, 21), '192.0.2.1')).statusCode).toBe(200);
  },
);

it('the pictures of somebody who opts out are no longer there, though their addresses are signed', async () => {
  await using site = await startSite();
  const { pictures } = (await site.lookUp(ANIMATED)).json<ProfileAnswer>();
  const own = [pictures.avatar_url, String(pictures.banner_url)];
  for (const url of own) expect((await ask(site, url, '192.0.2.1')).statusCode).toBe(200);
  await site.records.optOuts.add(site.records.vault.optOutDigest(ANIMATED), '2026-11-18');
  await site.app.refresh();
  const before = cdn.asked.length;
  for (const url of [...own, inForm(pictures.avatar_url, 3)])
    expect((await ask(site, url, '192.0.2.1')).json()).toMatchObject({ code: 'not-found' });
  expect(cdn.asked).toHaveLength(before);
});
