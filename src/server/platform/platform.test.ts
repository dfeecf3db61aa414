import { expect, it } from 'vitest';
import { createFakePlatform, type FakePlatformOptions } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';

const setUp = (options: Partial<FakePlatformOptions>) => {
  const system = createFakeSystem();
  return { ...system, platform: createFakePlatform({ system, ...options }) };
};

const ask = async ({ platform }: ReturnType<typeof setUp>) => {
  const permit = await platform.attempt('getInvite');
  return permit === null ? 'no permit' : (await permit.send('code')).kind;
};

it('a permit that is released is no probe: the next one may go', async () => {
  const test = setUp({ client: { getInvite: async () => ({ kind: 'failed', reason: 'timeout' }) } });
  for (let n = 0; n < 5; n += 1) await ask(test);
  await test.advance(1_000);
  (await test.platform.attempt('getInvite'))?.release();
  expect(test.platform.inFlight()).toBe(0);
  expect(await ask(test)).toBe('failed');
});
