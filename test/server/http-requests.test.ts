import { describe, expect, it } from 'vitest';
import { openPort, rawExchange } from '#test/attacks/raw-exchange.ts';
import { answerOf } from './plain-refusal.ts';
import { useTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';

const test = await useTestApp();
const port = await openPort(test.app);

describe('the media type of a post', () => {
  it.each(['application/json', 'application/json;charset=UTF-8'])('%j is taken', async (type) => {
    expect(answerOf(await test.postLookup({}, { 'content-type': type }))).toEqual([400, 'id-missing']);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'text/plain, application/json',
    'application/json; charset=utf-8; x=y',
  ])('%j is refused', async (type) => {
    const refused = await test.postLookup({}, { 'content-type': type });
    expect(answerOf(refused)).toEqual([415, 'unsupported-media-type']);
  });

  it('that is not named is refused', async () => {
    const request = 'POST /lookup HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
    expect((await rawExchange(port, request))?.status).toBe(415);
  });
});

describe('the body of a lookup', () => {
  it.each([
    ['nothing', ''],
    ['cut short', '{"discord_id":"4419'],
    ['an unknown key', `{"discord_id":"${ID}","proof":"x","admin":true}`],
    ['an id that is a number', '{"discord_id":441997505123577857}'],
    ['a proof that is a list', `{"discord_id":"${ID}","proof":["x"]}`],
    ['__proto__ in disguise', String.raw`{"\u005f_proto__":"x"}`],
    ['deep lists', `{"discord_id":${'['.repeat(1_500)}${']'.repeat(1_500)}}`],
  ])('%s is not understood', async (_name, body) => {
    expect(answerOf(await test.postLookup(body))).toEqual([400, 'bad-request']);
  });

  it('that is not UTF-8 is not understood', async () => {
    const payload = Buffer.from(`{"discord_id":"\xff","proof":"x"}`, 'latin1');
    const headers = { 'content-type': 'application/json' };
    const response = await test.app.server.inject({ method: 'POST', url: '/lookup', headers, payload });
    expect(answerOf(response)).toEqual([400, 'bad-request']);
  });

  it('may be 4 KiB and no more', async () => {
    const bodyOf = (length: number): string => `{"discord_id":"x"}`.padEnd(length, ' ');
    expect(answerOf(await test.postLookup(bodyOf(4_096)))).toEqual([400, 'id-malformed']);
    expect(answerOf(await test.postLookup(bodyOf(4_097)))).toEqual([413, 'body-too-large']);
  });
});

describe('a request with another method', () => {
  it.each([
    ['OPTIONS', '/', 'GET'],
    ['TRACE', '/healthz', 'GET'],
    ['PUT', '/lookup', 'POST'],
    ['PROPFIND', '/lookup', 'POST'],
  ])('%s %s is refused with the method that works', async (method, url, allowed) => {
    const answer = await rawExchange(port, `${method} ${url} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect([answer?.status, new Map(answer?.headers).get('allow')]).toEqual([405, allowed]);
    expect(Buffer.from(answer?.body ?? '', 'latin1').toString()).toContain(
      '"error":"This address doesn’t support that kind of request."',
    );
  });

  it('GET in a browser is a page not found', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const page = await test.app.server.inject({ url: '/lookup', headers });
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
});
