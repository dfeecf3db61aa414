import { expect, it } from 'vitest';
import { useTestApp } from '#test/support/test-app.ts';
import { faultOfAnswer } from './answer-fault.ts';
import { registeredPaths } from '#test/support/registered-routes.ts';
import { ROUTES } from './hostile-requests.ts';
import { openPort, type RawAnswer } from './raw-exchange.ts';
import { fuzzRequests } from './request-fuzzer.ts';

const SEED = 20_261_115;
const COUNT = 800;
const MEBIBYTE = 2 ** 20;

const test = await useTestApp();
const port = await openPort(test.app);

it('the fuzzer of requests knows every route of the server', () => {
  expect(
    registeredPaths(test.app)
      .filter((path) => !path.startsWith('/assets/'))
      .toSorted(),
  ).toEqual(ROUTES.toSorted());
});

it(`${COUNT} hostile requests (seed ${SEED}) are answered with refusals and nothing worse`, async () => {
  const before = process.memoryUsage().heapUsed;
  expect(await fuzzRequests({ port, seed: SEED, count: COUNT })).toEqual({ count: COUNT, broken: 0 });
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(12);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(128 * MEBIBYTE);
  // One request for the profile that was cached at the start: no hostile request got through to the platform.
  expect(test.sandbox.stats().requests).toBe(1);
  expect(test.logs()).not.toContain('request-failed');
});

it.each([
  [{ status: 500 }, 'status 500'],
  [{ headers: [] }, 'no security headers'],
  [{ body: '{"error":"Oh.","code":"bad-request","stack":"at x"}' }, 'not the body of an error'],
  [{ body: '{"error":"Oh.","code":"proof-used"}' }, 'not the body of an error'],
  [{ status: 200 }, 'a success of no known kind'],
  [{}, null],
] as [Partial<RawAnswer>, string | null][])('the fuzzer of requests would notice %j', (change, fault) => {
  const good: RawAnswer = {
    status: 400,
    headers: [
      ['content-security-policy', "default-src 'none'"],
      ['content-type', 'application/json; charset=utf-8'],
    ],
    body: '{"error":"Oh.","code":"bad-request"}',
  };
  expect(faultOfAnswer({ ...good, ...change }, 'GET')).toBe(fault);
});
