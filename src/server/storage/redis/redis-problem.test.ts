import { expect, it } from 'vitest';
import { toRedisProblem, type RedisProblem } from './redis-problem.ts';
import { findRedisProblem, parseRedisInfo } from './redis-info.ts';

const CANARY = 'redis://:hunter2@store.example';

it.each([
  [new Error(`WRONGPASS invalid ${CANARY}`), 'does not accept our password', true],
  [new Error('NOAUTH Authentication required.'), 'does not accept our password', true],
  [new Error('ERR AUTH <password> called without any password'), 'does not accept our password', true],
  [new Error(`NOPERM ${CANARY}`), 'may not run a command that we need', true],
  [new Error('ERR DB index is out of range'), 'has no database of that number', true],
  [new Error('ERR This command is not allowed from script'), 'does not let a script find out', true],
  [Object.assign(new Error(CANARY), { code: 'CERT_HAS_EXPIRED' }), 'is not trusted', true],
  [Object.assign(new Error(CANARY), { code: 'ENOTFOUND' }), 'cannot be reached (ENOTFOUND)', false],
  [new Error(`LOADING ${CANARY}`), 'cannot be reached (LOADING)', false],
  [new Error(CANARY), 'cannot be reached (no answer)', false],
  [null, 'cannot be reached (no answer)', false],
])('%s is told without a secret', (error, finding, isLasting) => {
  const problem = toRedisProblem(error);
  expect(problem.finding).toContain(finding);
  expect(problem.remedy).toMatch(/^[^A-Z].*\.$/);
  expect(problem.message).not.toContain('hunter2');
  expect(problem.isLasting).toBe(isLasting);
  expect(problem.exitCode).toBe(isLasting ? 85 : 86);
  expect(toRedisProblem(problem)).toBe(problem);
});

const GOOD = {
  redis_version: '7.0.15',
  run_id: 'a1b2',
  role: 'master',
  maxmemory: '0',
  maxmemory_policy: 'noeviction',
  aof_enabled: '0',
};
const infoOf = (facts: Readonly<Record<string, string>>): string =>
  ['# Server', ...Object.entries(facts).map(([name, value]) => `${name}:${value}`), ''].join('\r\n');
const problemWith = (change: Readonly<Record<string, string>>, aheadMs = 0): RedisProblem | null =>
  findRedisProblem(parseRedisInfo(infoOf({ ...GOOD, ...change })), aheadMs);

it('finds nothing wrong with a good one, be it Redis or Valkey', () => {
  expect(problemWith({})).toBeNull();
  expect(problemWith({ maxmemory: '1000000' })).toBeNull();
  expect(problemWith({ maxmemory_policy: 'allkeys-lru' })).toBeNull();
  expect(problemWith({ redis_version: '7.2.4', valkey_version: '8.0.1', server_name: 'valkey' })).toBeNull();
  expect(parseRedisInfo(infoOf({ ...GOOD, valkey_version: '8.0.1' })).version).toBe('8.0.1');
  for (const aheadMs of [-20_000, 20_000]) expect(problemWith({}, aheadMs)).toBeNull();
});

it.each([
  [{ redis_version: '6.2.14' }, 0, 'is too old (6.2.14)'],
  [{ run_id: '' }, 0, 'is too old'],
  [{ role: 'slave' }, 0, 'is a replica'],
  [{ maxmemory: '1', maxmemory_policy: 'volatile-ttl' }, 0, 'maxmemory-policy volatile-ttl'],
  [{}, 20_001, 'is 20 s ahead of ours'],
  [{}, -3_600_000, 'is 3600 s behind ours'],
])('finds fault with %j, %d ms ahead', (change, aheadMs, finding) => {
  expect(problemWith(change, aheadMs)?.finding).toContain(finding);
});
