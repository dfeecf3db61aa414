import { describe, expect, it } from 'vitest';
import type { Failure } from '../../ask-server.ts';
import { lookUp, type LookupAnswer } from './look-up.ts';

const request = { input: '80351110224678912', proof: 'a-proof', platformName: 'Discord' };
const signal = new AbortController().signal;
const isOnline = (): boolean => true;

const ask = (answer: () => Response, proof = request.proof): Promise<LookupAnswer | Failure> =>
  lookUp({ ...request, proof }, { fetch: async () => answer(), isOnline, signal });

const json =
  (status: number, body: unknown): (() => Response) =>
  () =>
    Response.json(body, { status });

describe('looking up', () => {
  it('posts the id under the name of the platform, and the proof', async () => {
    const calls: unknown[] = [];
    await lookUp(request, {
      signal,
      isOnline,
      fetch: async (url, init) => {
        calls.push([url, init?.method, init?.body]);
        return Response.json({});
      },
    });
    expect(calls).toEqual([['/lookup', 'POST', `{"discord_id":"${request.input}","proof":"a-proof"}`]]);
  });

  it('does not ask without a proof', async () => {
    const answer = await ask(() => expect.unreachable(), '');
    expect(answer).toMatchObject({ kind: 'failed', message: 'Complete the Altcha challenge to continue.' });
  });

  it('gives the profile of a 200', async () => {
    expect(await ask(json(200, { username: 'nelly' }))).toEqual({
      kind: 'found',
      id: request.input,
      profile: { username: 'nelly' },
    });
  });

  it('gives the id and its creation of a 404', async () => {
    const createdUtc = '2015-08-10T14:44:46.784Z';
    expect(await ask(json(404, { id: '1', created_utc: createdUtc }))).toEqual({
      kind: 'not-found',
      id: '1',
      createdUtc,
    });
  });
});

describe('a lookup that fails', () => {
  it('tells a 404 of the route from a 404 of the profile', async () => {
    const answer = await ask(json(404, { error: 'There is nothing here.', code: 'not-found' }));
    expect(answer).toEqual({
      kind: 'failed',
      message: 'There is nothing here.',
      reaction: 'explain',
      cause: 'not-found',
    });
  });

  it('says the sentence of the server, how to react and when to try again', async () => {
    expect(await ask(json(503, { error: 'All busy.', code: 'pool-busy', retry_after: 7 }))).toEqual({
      kind: 'failed',
      message: 'All busy.',
      reaction: 'try-later',
      cause: 'pool-busy',
      retryAfterSeconds: 7,
    });
    expect(await ask(json(403, { error: 'Used.', code: 'proof-used' }))).toMatchObject({
      reaction: 'solve-again',
    });
  });

  it.each([
    ['an empty body', () => new Response(null, { status: 502 })],
    ['a page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['JSON without a sentence', json(500, {})],
    ['a null body', json(500, null)],
    ['broken JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['a profile that is not JSON', () => new Response('hello')],
  ])('falls back for %s', async (_, answer) => {
    expect(await ask(answer)).toEqual({
      kind: 'failed',
      message: 'Unexpected server error.',
      reaction: 'explain',
      cause: 'unknown',
    });
  });

  it('does not trip over a code it does not know', async () => {
    expect(await ask(json(418, { error: 'New.', code: 'constructor' }))).toMatchObject({
      reaction: 'explain',
      cause: 'unknown',
    });
  });

  it.each([
    [new TypeError('Failed to fetch'), 'Failed to fetch'],
    [new TypeError(''), 'Unable to complete lookup.'],
  ])('says what a failed network said: %s', async (thrown, message) => {
    const answer = await lookUp(request, { signal, isOnline, fetch: () => Promise.reject(thrown) });
    expect(answer).toEqual({ kind: 'failed', message, reaction: 'try-later', cause: 'unreachable' });
  });

  it('knows a visitor who is offline from a server that is', async () => {
    const fetch = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'));
    const answer = await lookUp(request, { signal, isOnline: () => false, fetch });
    expect(answer).toMatchObject({ cause: 'offline' });
  });
});
