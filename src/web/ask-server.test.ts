import { describe, expect, it } from 'vitest';
import { readJson, toFailure } from './ask-server.ts';

describe('a failure of the server', () => {
  it('is its sentence, the reaction to its code and its wait', () => {
    const body = { error: 'Slow down.', code: 'visitor-limit', retry_after: 9 };
    expect(toFailure(body, 'Failed.')).toEqual({
      kind: 'failed',
      message: 'Slow down.',
      reaction: 'try-later',
      cause: 'visitor-limit',
      retryAfterSeconds: 9,
    });
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
  ])('falls back for the body %j', (body) => {
    expect(toFailure(body, 'Failed.')).toEqual({
      kind: 'failed',
      message: 'Failed.',
      reaction: 'explain',
      cause: 'unknown',
    });
  });

  it('does not trip over a code it does not know', () => {
    expect(toFailure({ error: 'New.', code: 'constructor' }, '')).toMatchObject({
      reaction: 'explain',
      cause: 'unknown',
    });
  });
});

describe('reading the JSON of an answer', () => {
  it('gives what it says', async () => {
    expect(await readJson(Response.json({ a: 1 }))).toEqual({ a: 1 });
  });

  it.each([
    new Response(null, { status: 502 }),
    new Response('<h1>Bad gateway</h1>', { headers: { 'content-type': 'text/html' } }),
    new Response('{', { headers: { 'content-type': 'application/json' } }),
  ])('gives nothing for what is no JSON', async (response) => {
    expect(await readJson(response)).toBeUndefined();
  });
});
