import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDiscordUser } from './discord-objects.ts';
import { readPlatformAnswer, readRateLimit } from './platform-answer.ts';

const DAY_MS = 86_400_000;
const json = { 'content-type': 'application/json' };
const plain = { 'content-type': 'text/plain' };
const answer = (status: number, body: unknown, headers: Record<string, string> = json) =>
  readPlatformAnswer(
    { status, headers, text: typeof body === 'string' ? body : JSON.stringify(body) },
    { parse: parseDiscordUser, unknownCode: 10_013 },
  );
const page = (status: number) => answer(status, '<html>', { 'content-type': 'text/html' });

it.each([
  ['a user', answer(200, { id: '1', username: 'a' }), 'found'],
  ['an unknown user', answer(404, { message: 'Unknown User', code: 10_013 }), 'not-found'],
  ['a route that is gone', answer(404, { message: '404: Not Found', code: 0 }), 'failed'],
  ['a dead token', answer(401, { message: '401: Unauthorized', code: 0 }), 'unauthorized'],
  ['a proxy’s own 401', page(401), 'failed'],
  ['a blocked address', answer(403, { message: 'internal network error', code: 40_333 }), 'blocked'],
  ['a ban', answer(429, 'error code: 1015', plain), 'blocked'],
])('%s is read as what it is', (_, read, kind) => expect(read.kind).toBe(kind));

it.each([
  [{ ...json, 'x-ratelimit-scope': 'user', 'retry-after': '65' }, { retry_after: 64.57 }, 'user', 65_000],
  [{ ...json, 'x-ratelimit-scope': 'shared' }, { retry_after: 3 }, 'shared', 3_000],
  [{ ...json, 'x-ratelimit-scope': 'global' }, { retry_after: 0 }, 'global', 0],
])('the limit in %j and %j is one of the %s', (headers, body, scope, retryAfterMs) => {
  expect(answer(429, body, headers)).toMatchObject({ kind: 'rate-limited', scope, retryAfterMs });
});

it('a wait that the platform names is a day at most and never negative, whatever is written there', () => {
  const seconds = fc.oneof(fc.constantFrom('1e300', '1e999', '999999999'), fc.double(), fc.json());
  fc.assert(
    fc.property(fc.constantFrom(403, 429), seconds, fc.string(), (status, retryAfter, header) => {
      const headers = { ...json, 'retry-after': header };
      const read = answer(status, `{"code":40333,"retry_after":${String(retryAfter)}}`, headers);
      const waitMs = 'retryAfterMs' in read ? (read.retryAfterMs ?? 0) : 0;
      expect(waitMs >= 0 && waitMs <= DAY_MS).toBe(true);
      if (retryAfter === '999999999') expect(waitMs).toBe(DAY_MS);
    }),
  );
});

const LIMIT = {
  'x-ratelimit-limit': '30',
  'x-ratelimit-remaining': '29',
  'x-ratelimit-reset-after': '1.000',
  'x-ratelimit-reset': '9999999999.0',
};
const READING = { limit: 30, remaining: 29, resetAfterMs: 1_000, bucket: null };

it.each([
  [{}, READING],
  [{ 'x-ratelimit-reset-after': '999999999' }, { ...READING, resetAfterMs: DAY_MS }],
  [{ 'x-ratelimit-bucket': 'abcd1234' }, { ...READING, bucket: 'abcd1234' }],
  [{ 'x-ratelimit-limit': undefined }, null],
  [{ 'x-ratelimit-remaining': '31' }, null],
  [{ 'x-ratelimit-reset-after': '-1' }, null],
  [{ 'x-ratelimit-limit': '1e3' }, null],
])('headers with %j are read as the limit %j, by relative times alone', (headers, reading) => {
  expect(readRateLimit({ ...LIMIT, ...headers })).toEqual(reading);
});
