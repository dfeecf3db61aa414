import { expect, it } from 'vitest';
import { askServer, readJson, toFailure, type Network } from './ask-server.ts';

const FAILED = { kind: 'failed', message: 'Failed.', reaction: 'explain', cause: 'unknown' };

const failureOf = (body: unknown, status = 503, errors = {}) =>
  toFailure({ body, status }, errors, 'Failed.');

it('a failure is the sentence of the server, the reaction to its code and its wait', () => {
  expect(failureOf({ error: 'Slow down.', code: 'visitor-limit', retry_after: 9 })).toEqual({
    kind: 'failed',
    message: 'Slow down.',
    reaction: 'try-later',
    cause: 'visitor-limit',
    retryAfterSeconds: 9,
  });
});

it('a failure is told in the sentence of the page, where it has one for the code', () => {
  const errors = { 'visitor-limit': 'Langsamer!' };
  expect(failureOf({ error: 'Slow down.', code: 'visitor-limit' }, 429, errors).message).toBe('Langsamer!');
});

it.each([undefined, null, '', 7, [], { error: '' }, { error: {}, code: 5 }, { code: 'constructor' }])(
  'a failure without a sentence has that of the page: %j',
  (body) => expect(failureOf(body, 500, { internal: 'Internal.' })).toEqual(FAILED),
);

it.each([
  [429, 'visitor-limit', 'try-later'],
  [418, 'bad-request', 'explain'],
  [500, 'unknown', 'explain'],
])('the status %i says whose fault it is if the code is of a newer server', (status, cause, reaction) => {
  const body = { error: 'No.', code: 'of-a-newer-server' };
  expect(failureOf(body, status)).toMatchObject({ message: 'No.', cause, reaction });
});

it.each([
  [1e9, 86_400],
  [Infinity, 86_400],
  ['9', undefined],
])('a server that asks to wait %j seconds is given %j', (retry_after, seconds) => {
  expect(failureOf({ retry_after }).retryAfterSeconds).toBe(seconds);
});

it('§194 an answer is JSON if its content type says so', async () => {
  const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
  expect(await readJson(new Response('{"a":1}', { headers }))).toEqual({ a: 1 });
  expect(await readJson(new Response('{', { headers }))).toBeUndefined();
});

it('§195 an answer is no JSON if its content type does not say so', async () => {
  expect(await readJson(new Response('{"a":1}', { headers: { 'content-type': 'text/html' } }))).toBe(
    undefined,
  );
  expect(await readJson(new Response(null, { status: 502 }))).toBeUndefined();
});

it.each([
  [{}, 'could not send', true, { cause: 'unreachable' }],
  [{ quoteNetwork: true }, 'No route.', true, { networkError: 'No route.', cause: 'unreachable' }],
  [{}, 'could not send', false, { cause: 'offline' }],
])('§207 with %j a network that says %j, online: %s, is told as %j', async (quote, said, online, failure) => {
  const question = { path: '/path', read: () => undefined, failed: 'Failed.', unreachable: 'Unreachable.' };
  const network: Network = {
    fetch: () => Promise.reject(new TypeError(said)),
    isOnline: () => online,
    signal: new AbortController().signal,
    errors: {},
  };
  const answer = await askServer({ ...question, ...quote }, network);
  expect(answer).toEqual({ kind: 'failed', message: 'Unreachable.', reaction: 'try-later', ...failure });
});
