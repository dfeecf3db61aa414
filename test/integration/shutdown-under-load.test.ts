// @module-tag slow
import { expect, it } from 'vitest';
import { stopUnderLoad } from '#test/suites/soak/stop.ts';

it('SIGTERM under load drops no answer, for clients that look at /readyz', async () => {
  const stop = await stopUnderLoad({
    clients: 8,
    answersBefore: 50,
    heedful: true,
    // Ample, so that a slow machine has looked by then.
    env: { STOP_DELAY_SECONDS: '5' },
  });
  expect(stop).toMatchObject({ refused: 0, exitCode: 0 });
  expect([...stop.dropped]).toEqual([]);
  for (const verdict of stop.answers.keys()) expect(['200', '404', '503 overloaded']).toContain(verdict);
});
