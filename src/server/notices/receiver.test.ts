import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { startHttpServer } from '#test/support/http-server.ts';
import { messageFor, sendNotice, type Notice } from './receiver.ts';

const NOTICE: Notice = {
  event: 'lookups-paused',
  state: 'problem',
  text: 'lookups are paused',
  site: 'Whoflake',
  server: 'a:8080',
  at: '2026-11-18T10:00:00.000Z',
};
const LINE = '🔴 Whoflake (a:8080): lookups are paused';

it.each([
  ['https://discord.com/api/webhooks/1/x', { content: LINE, allowed_mentions: { parse: [] } }],
  ['https://hooks.slack.com/services/T/B/x', { text: LINE }],
  ['https://example.org/hook', NOTICE],
  ['https://discord.com.example.org/api/webhooks/1/x', NOTICE],
])('a message for %s has its form', (url, body) => {
  expect(JSON.parse(messageFor(new URL(url), NOTICE).body)).toEqual(body);
});

it.each(['https://ntfy.sh/topic', 'http://ntfy/topic', 'https://ntfy.example.org/topic'])(
  'a message for %s is plain text',
  (url) => {
    const { body, headers } = messageFor(new URL(url), NOTICE);
    expect([body, headers['priority']]).toEqual([LINE, 'high']);
  },
);

const got: string[] = [];
const receiver = await startHttpServer((request, response) => {
  void text(request).then((body) => {
    got.push(body);
    if (request.url === '/moved') return response.writeHead(302, { location: '/hook' }).end();
    return response.writeHead(request.url === '/hook' ? 204 : 500).end();
  });
});
afterAll(() => receiver[Symbol.asyncDispose]());
const at = (path: string) => `${receiver.url}${path}`;

it('a receiver gets it as JSON, with nothing else', async () => {
  expect(await sendNotice(at('/hook'), NOTICE)).toBeNull();
  expect(got.map((body) => JSON.parse(body) as unknown)).toEqual([NOTICE]);
});

it.each([
  ['/broken', 'it answers with status 500'],
  // No redirect is followed.
  ['/moved', 'it answers with status 302'],
])('a receiver that refuses is named by its answer alone: %s', async (path, reason) => {
  const before = got.length;
  expect(await sendNotice(at(path), NOTICE)).toBe(reason);
  expect(got).toHaveLength(before + 1);
});

it('a receiver that is gone, too', async () => {
  expect(await sendNotice('http://127.0.0.1:1/secret', NOTICE)).toBe('it cannot be reached (ECONNREFUSED)');
});

it.each([
  ['10.1.2.3', '10.1.2.4'],
  ['192.0.2.1', '10.1.2.3'],
])('a receiver whose public name leads to a private address is not asked: %s, %s', async (...found) => {
  const resolve = (_name: string, _options: object, done: (...args: unknown[]) => void): void =>
    done(
      null,
      found.map((address) => ({ address, family: 4 })),
    );
  expect(await sendNotice('http://notify.example.org/secret', NOTICE, resolve as never)).toBe(
    'its name leads to a private address',
  );
});
