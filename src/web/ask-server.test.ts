import { describe, expect, it } from 'vitest';
import { askServer, claimSentProof, maySendAhead, readJson, toFailure, type Network } from './ask-server.ts';

const FAILED = { kind: 'failed', message: 'Failed.', reaction: 'explain', cause: 'unknown' };

describe('a failure of the server', () => {
  it('is its sentence, the reaction to its code and its wait', () => {
    const body = { error: 'Slow down.', code: 'visitor-limit', retry_after: 9 };
    expect(toFailure({ body, status: 429 }, {}, 'Failed.')).toEqual({
      kind: 'failed',
      message: 'Slow down.',
      reaction: 'try-later',
      cause: 'visitor-limit',
      retryAfterSeconds: 9,
    });
  });

  it('is the sentence of the page, where it has one for the code', () => {
    const errors = { 'visitor-limit': 'Langsamer!' };
    const messageOf = (body: unknown): string => toFailure({ body, status: 503 }, errors, 'Failed.').message;
    expect(messageOf({ error: 'Slow down.', code: 'visitor-limit' })).toBe('Langsamer!');
    expect(messageOf({ code: 'visitor-limit' })).toBe('Langsamer!');
    expect(messageOf({ error: 'All busy.', code: 'pool-busy' })).toBe('All busy.');
    expect(messageOf({ error: 'All new.', code: 'of-a-newer-server' })).toBe('All new.');
  });

  it.each([
    undefined,
    null,
    '',
    'text',
    7,
    [],
    {},
    { error: '' },
    { error: { nested: true }, code: 5, retry_after: 0 },
    { code: 'constructor' },
  ])('falls back for the body %j', (body) => {
    expect(toFailure({ body, status: 500 }, { internal: 'Internal.' }, 'Failed.')).toEqual(FAILED);
  });

  it.each([
    [429, 'visitor-limit', 'try-later'],
    [400, 'bad-request', 'explain'],
    [418, 'bad-request', 'explain'],
    [500, 'unknown', 'explain'],
    [200, 'unknown', 'explain'],
  ])('without a code that we know is whose fault the status %i says', (status, cause, reaction) => {
    const body = { error: 'No.', code: 'of-a-newer-server' };
    expect(toFailure({ body, status }, {}, 'Failed.')).toMatchObject({ message: 'No.', cause, reaction });
  });

  it.each([
    [0.2, 1],
    [1e9, 86_400],
    [JSON.parse('1e999') as number, 86_400],
    [-1, undefined],
    ['9', undefined],
  ])('that asks to wait %j seconds is waited for %j', (retry_after, seconds) => {
    const { retryAfterSeconds } = toFailure({ body: { retry_after }, status: 429 }, {}, 'Failed.');
    expect(retryAfterSeconds).toBe(seconds);
  });
});

describe('reading the JSON of an answer', () => {
  it('§194 gives what it says', async () => {
    expect(await readJson(Response.json({ a: 1 }))).toEqual({ a: 1 });
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect(await readJson(new Response('{"a":1}', { headers }))).toEqual({ a: 1 });
  });

  it.each([
    new Response(null, { status: 502 }),
    new Response('{"a":1}', { headers: { 'content-type': 'text/html' } }),
    new Response('{', { headers: { 'content-type': 'application/json' } }),
  ])('§195 gives nothing for what is no JSON', async (response) => {
    expect(await readJson(response)).toBeUndefined();
  });
});

describe('asking the server', () => {
  const question = {
    path: '/path',
    read: (body: unknown, { ok }: Response) => (ok && body ? { kind: 'read', body } : undefined),
    failed: 'Failed.',
    unreachable: 'Unreachable.',
  };
  const networkOf = (fetch: Network['fetch'], online = true): Network => ({
    fetch,
    isOnline: () => online,
    signal: new AbortController().signal,
    errors: { 'pool-busy': 'Sehr voll.' },
  });
  const rejecting = (message: string) => () => Promise.reject(new TypeError(message));

  it('gives what is read from the answer, else how it failed', async () => {
    const ask = (response: Response) =>
      askServer(
        question,
        networkOf(() => Promise.resolve(response)),
      );
    expect(await ask(Response.json({ a: 1 }))).toEqual({ kind: 'read', body: { a: 1 } });
    expect(await ask(Response.json({ error: 'Busy.' }, { status: 503 }))).toMatchObject({ message: 'Busy.' });
    const busy = Response.json({ error: 'Busy.', code: 'pool-busy' }, { status: 503 });
    expect(await ask(busy)).toMatchObject({ message: 'Sehr voll.' });
    expect(await ask(new Response('hello'))).toEqual(FAILED);
    expect(await ask(new Response('<h1>Bad gateway</h1>', { status: 502 }))).toEqual(FAILED);
  });

  it.each([
    [{}, 'could not send', true, { cause: 'unreachable' }],
    [{ quoteNetwork: true }, 'No route.', true, { networkError: 'No route.', cause: 'unreachable' }],
    [{ quoteNetwork: true }, '', true, { cause: 'unreachable' }],
    [{}, 'could not send', false, { cause: 'offline' }],
  ])('§207 with %j says of a network that says %j, online: %s: %j', async (quote, said, online, failure) => {
    const answer = await askServer({ ...question, ...quote }, networkOf(rejecting(said), online));
    expect(answer).toEqual({ kind: 'failed', message: 'Unreachable.', reaction: 'try-later', ...failure });
  });
});

it('sends nothing ahead once the page has begun its own lookup: the proof would be missing there', () => {
  expect(claimSentProof('80351110224678912')).toBeUndefined();
  expect(maySendAhead()).toBe(false);
});
