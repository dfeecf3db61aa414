import { expect, it } from 'vitest';
import { createFakePlatform } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';

it('a permit that is released is no probe: the next one may go', async () => {
  const system = createFakeSystem();
  const getInvite = async () => ({ kind: 'failed', reason: 'timeout' }) as const;
  const platform = createFakePlatform({ system, client: { getInvite } });
  const ask = async () => (await platform.attempt('getInvite'))?.send('code');
  for (let n = 0; n < 5; n += 1) await ask();
  expect(await ask()).toBeUndefined();
  await system.advance(1_000);
  (await platform.attempt('getInvite'))?.release();
  expect(platform.inFlight()).toBe(0);
  expect(await ask()).toMatchObject({ kind: 'failed' });
});
