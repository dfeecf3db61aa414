import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '#test/support/free-port.ts';
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

it('a message for ntfy is plain text', () => {
  const { body, headers } = messageFor(new URL('https://ntfy.example.org/topic'), NOTICE);
  expect([body, headers['priority']]).toEqual([LINE, 'high']);
});

const got: string[] = [];
const logins: (string | undefined)[] = [];
const receiver = await startHttpServer((request, response) => {
  void text(request).then((body) => {
    got.push(body);
    logins.push(request.headers.authorization);
    if (request.url === '/moved') return response.writeHead(302, { location: '/hook' }).end();
    return response.writeHead(request.url === '/hook' ? 204 : 500).end();
  });
});
afterAll(() => receiver[Symbol.asyncDispose]());
it.each([
  ['/hook', null],
  ['/broken', 'it answers with status 500'],
  // No redirect is followed.
  ['/moved', 'it answers with status 302'],
])('a receiver at %s gets the message once, and is named by its answer alone: %s', async (path, problem) => {
  got.length = 0;
  expect(await sendNotice(`${receiver.url}${path}`, NOTICE)).toBe(problem);
  expect(got.map((body) => JSON.parse(body) as unknown)).toEqual([NOTICE]);
});

it('a receiver that is gone is not named by its address', async () => {
  expect(await sendNotice(`http://127.0.0.1:${await freePort()}/secret`, NOTICE)).toBe(
    'it cannot be reached (ECONNREFUSED)',
  );
});

it('a receiver gets the name and password of its address', async () => {
  const { host } = new URL(receiver.url);
  expect(await sendNotice(`http://me:p%40ss@${host}/hook`, NOTICE)).toBeNull();
  expect(logins.at(-1)).toBe(`Basic ${btoa('me:p@ss')}`);
});

it('a login that is no address part is a reason, and ends nothing', async () => {
  expect(await sendNotice('http://me:50%@127.0.0.1:1/hook', NOTICE)).toBe('it cannot be reached (URIError)');
});
