import { expect, it } from 'vitest';
import { takeEnvFile } from './env-file.ts';

it.each([
  [['status'], ['status'], undefined],
  [['--env-file', '/a', 'status'], ['status'], '/a'],
  [['status', '--json', '--env-file=/a b'], ['status', '--json'], '/a b'],
  [['status', '--env-file'], ['status'], ''],
  [['status', '--env-files=/a'], ['status', '--env-files=/a'], undefined],
])('of %j the command gets %j, and the settings come from %j', (typed, argv, envFile) => {
  expect(takeEnvFile(typed)).toEqual({ argv, envFile });
});
