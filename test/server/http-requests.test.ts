import { describe, expect, it } from 'vitest';
import { openPort, rawExchange } from '#test/attacks/raw-exchange.ts';
import { answerOf } from './plain-refusal.ts';
import { useTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';

const test = await useTestApp();
const port = await openPort(test.app);

describe('the media type of a post', () => {
  const JSON_TYPES = [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ];
  it.each(JSON_TYPES)('%j is taken', async (type) => {
    expect(answerOf(await test.postLookup({}, { 'content-type': type }))).toEqual([400, 'id-missing']);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/vnd.api+json',
    'application/json ;charset=utf-8',
    'text/plain, application/json',
    'application/json\u00a0',
    'application/json; charset=utf-8; x=y',
  ])('%j is refused', async (type) => {
    const refused = await test.postLookup({}, { 'content-type': type });
    expect(answerOf(refused)).toEqual([415, 'unsupported-media-type']);
  });

  it.each(['', 'Content-Type:\r\n', 'Content-Type: text/plain\r\nContent-Type: application/json\r\n'])(
    'header %j is refused',
    async (line) => {
      const request = `POST /lookup HTTP/1.1\r\nHost: x\r\n${line}Content-Length: 2\r\n\r\n{}`;
      expect((await rawExchange(port, request))?.status).toBe(415);
    },
  );
});

describe('the body of a lookup', () => {
  it.each([
    ['nothing', ''],
    ['cut short', '{"discord_id":"4419'],
    ['more than one', '{}{}'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an unknown key', `{"discord_id":"${ID}","proof":"x","admin":true}`],
    ['a key in another case', `{"Discord_ID":"${ID}"}`],
    ['an id that is a number', '{"discord_id":441997505123577857}'],
    ['a proof that is a list', `{"discord_id":"${ID}","proof":["x"]}`],
    ['__proto__', '{"__proto__":{"discord_id":"1"}}'],
    ['__proto__ in disguise', String.raw`{"\u005f_proto__":"x"}`],
    ['constructor', '{"constructor":{"prototype":{"polluted":true}}}'],
    ['deep lists', `{"discord_id":${'['.repeat(1_500)}${']'.repeat(1_500)}}`],
    ['a comment', '{/* */"discord_id":"1"}'],
    ['a byte order mark', '\ufeff{"discord_id":"1"}'],
  ])('%s is not understood', async (_name, body) => {
    expect(answerOf(await test.postLookup(body))).toEqual([400, 'bad-request']);
  });

  it.each([
    ['in the id', Buffer.from(`{"discord_id":"\xff","proof":"x"}`, 'latin1')],
    ['a raw surrogate', Buffer.from(`{"discord_id":"${ID}","proof":"\xed\xa0\x80"}`, 'latin1')],
    ['UTF-16', Buffer.from(`{"discord_id":"${ID}"}`, 'utf16le')],
  ])('that is not UTF-8, %s, is not understood', async (_name, payload) => {
    const headers = { 'content-type': 'application/json' };
    const response = await test.app.server.inject({ method: 'POST', url: '/lookup', headers, payload });
    expect(answerOf(response)).toEqual([400, 'bad-request']);
  });

  const ODD_IDS = [String.raw`\ud800`, String.raw`\udfff\ud800`, String.raw`${ID}\u0000`];
  it.each(ODD_IDS)('with the id %j has no id', async (id) => {
    const refused = await test.postLookup(`{"discord_id":"${id}","proof":"x"}`);
    expect(answerOf(refused)).toEqual([400, 'id-malformed']);
  });

  it('may be 4 KiB and no more', async () => {
    const bodyOf = (length: number): string => `{"discord_id":"x"}`.padEnd(length, ' ');
    expect(answerOf(await test.postLookup(bodyOf(4_096)))).toEqual([400, 'id-malformed']);
    expect(answerOf(await test.postLookup(bodyOf(4_097)))).toEqual([413, 'body-too-large']);
  });
});

describe('a request with another method', () => {
  const methods = ['OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PROPFIND'] as const;
  it.each(methods.flatMap((method) => ['/', '/lookup', '/healthz'].map((url) => [method, url])))(
    '%s %s is refused with the method that works',
    async (method, url) => {
      const answer = await rawExchange(port, `${method} ${url} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const headers = new Map(answer?.headers);
      expect([answer?.status, headers.get('allow')]).toEqual([405, url === '/lookup' ? 'POST' : 'GET']);
      expect(JSON.parse(Buffer.from(answer?.body ?? '', 'latin1').toString())).toEqual({
        error: 'This address doesn’t support that kind of request.',
        code: 'method-not-allowed',
      });
    },
  );

  it.each(['/lookup', '/donate-token', '/withdraw-token'])(
    'GET %s in a browser is a page not found',
    async (url) => {
      const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const page = await test.app.server.inject({ url, headers });
      expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.body).toContain('Page not found');
    },
  );

  it('CONNECT gets no answer at all', async () => {
    expect(await rawExchange(port, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toBeNull();
  });
});
