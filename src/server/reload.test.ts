import { expect, it } from 'vitest';
import { createLogger } from './observability/logger.ts';
import { createReload } from './reload.ts';

it('a defect of ours is told by its frames, and not as wrong settings', () => {
  const logged: string[] = [];
  const reload = createReload({
    env: {},
    apply: () => {
      throw new TypeError('a secret');
    },
    logger: createLogger('info', { write: (line) => logged.push(line) }),
  });
  reload();
  expect(logged).toEqual([
    expect.stringMatching(/"event":"reload-failed","name":"TypeError","frames":\["at /),
  ]);
  expect(logged.join()).not.toContain('a secret');
});
