import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDiscordUser } from './discord-objects.ts';
import { readPlatformAnswer, readRateLimit } from './platform-answer.ts';

const json = { 'content-type': 'application/json' };
const answer = (status: number, body: unknown, headers: Record<string, string> = json) =>
  readPlatformAnswer(
    { status, headers, text: typeof body === 'string' ? body : JSON.stringify(body) },
    { parse: parseDiscordUser, unknownCode: 10_013 },
  );
const plain = { 'content-type': 'text/plain' };
const page = (status: number) => answer(status, '<html>', { 'content-type': 'text/html' });

it.each([
  ['a user', answer(200, { id: '1', username: 'a' }), 'found'],
  ['an array', answer(200, []), 'failed'],
  ['a page', page(200), 'failed'],
  ['JSON of another type', answer(200, { id: '1', username: 'a' }, plain), 'failed'],
  ['half a user', answer(200, '{"id":"1","usern'), 'failed'],
  ['an unknown user', answer(404, { message: 'Unknown User', code: 10_013 }), 'not-found'],
  ['a proxy’s own 404', page(404), 'failed'],
  ['a route that is gone', answer(404, { message: '404: Not Found', code: 0 }), 'failed'],
  ['an unknown server', answer(404, { message: 'Unknown Guild', code: 10_004 }), 'failed'],
  ['a 404 without a code', answer(404, {}), 'failed'],
  ['a refused id', answer(400, { code: 50_035 }), 'refused'],
  ['a dead token', answer(401, { message: '401: Unauthorized', code: 0 }), 'unauthorized'],
  ['a proxy’s own 401', page(401), 'failed'],
  ['a 401 without a code', answer(401, { error: 'proxy authentication' }), 'failed'],
  ['a forbidden call', answer(403, { code: 10_008 }), 'forbidden'],
  ['a blocked address', answer(403, { message: 'internal network error', code: 40_333 }), 'blocked'],
  ['a blocking page', page(403), 'blocked'],
  ['a ban', answer(429, 'error code: 1015', plain), 'blocked'],
  ['a ban in JSON', answer(429, { code: 0, message: 'You are being blocked from our API' }), 'blocked'],
  ['an overloaded platform', page(503), 'failed'],
  ['a redirect', answer(302, '', { location: 'https://evil.example' }), 'failed'],
])('reads %s', (_, read, kind) => expect(read.kind).toBe(kind));

it.each([
  [{ ...json, 'x-ratelimit-scope': 'user', 'retry-after': '65' }, { retry_after: 64.57 }, 'user', 65_000],
  [{ ...json, 'retry-after': '1' }, { retry_after: 1.2, global: true }, 'global', 1_200],
  [{ ...json, 'x-ratelimit-scope': 'shared' }, { retry_after: 3 }, 'shared', 3_000],
  [{ ...json, 'x-ratelimit-scope': 'global' }, { retry_after: 0 }, 'global', 0],
])('reads the limit in %j and %j', (headers, body, scope, retryAfterMs) => {
  expect(answer(429, body, headers)).toMatchObject({ kind: 'rate-limited', scope, retryAfterMs });
});

const DAY_MS = 86_400_000;
const waitOf = (status: number, seconds: unknown, header = '') => {
  const read = answer(status, `{"code":40333,"retry_after":${String(seconds)}}`, {
    ...json,
    'retry-after': header,
  });
  return 'retryAfterMs' in read ? read.retryAfterMs : undefined;
};

it.each([
  [403, 1e300],
  [429, 1e300],
  [429, '1e999'],
  [403, 999_999_999],
])(
  'a wait that the platform names of a %i is never longer than a day, even if it says %s seconds',
  (status, seconds) => {
    expect(waitOf(status, seconds)).toBe(DAY_MS);
  },
);

it('a wait that the platform names is a day at most and never negative, whatever is written there', () => {
  const anything = fc.oneof(fc.double(), fc.json(), fc.string(), fc.integer());
  fc.assert(
    fc.property(fc.constantFrom(403, 429), anything, fc.string(), (status, seconds, header) => {
      const wait = waitOf(status, seconds, header) ?? 0;
      expect(wait >= 0 && wait <= DAY_MS).toBe(true);
    }),
  );
});

it('a wait that the platform names for a bucket is no longer either', () => {
  const headers = { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0' };
  const reading = readRateLimit({ ...headers, 'x-ratelimit-reset-after': '999999999' });
  expect(reading?.resetAfterMs).toBe(DAY_MS);
});

const headers = {
  'x-ratelimit-limit': '30',
  'x-ratelimit-remaining': '29',
  'x-ratelimit-reset-after': '1.000',
  'x-ratelimit-reset': '9999999999.0',
};

it('reads relative times only', () => {
  expect(readRateLimit(headers)).toEqual({ limit: 30, remaining: 29, resetAfterMs: 1_000, bucket: null });
});

it('reads the name of the bucket, if it is one', () => {
  expect(readRateLimit({ ...headers, 'x-ratelimit-bucket': 'abcd1234' })?.bucket).toBe('abcd1234');
  expect(readRateLimit({ ...headers, 'x-ratelimit-bucket': 'x'.repeat(9_000) })?.bucket).toBeNull();
});

it.each([
  { 'x-ratelimit-limit': undefined },
  { 'x-ratelimit-remaining': '31' },
  { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' },
  { 'x-ratelimit-reset-after': '-1' },
  { 'x-ratelimit-reset-after': 'NaN' },
  { 'x-ratelimit-limit': '1e3' },
])('tells nothing with %j', (wrong) => expect(readRateLimit({ ...headers, ...wrong })).toBeNull());
