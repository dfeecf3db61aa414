import { expect, it } from 'vitest';
import { createFakePlatform, type FakePlatformOptions } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import type { PlatformAnswer } from './wire/platform-answer.ts';

const NOBODY: PlatformAnswer<never> = { kind: 'not-found', reading: null };

const setUp = (options: Partial<FakePlatformOptions> = {}) => {
  const system = createFakeSystem();
  const client = { getInvite: async () => NOBODY };
  return { ...system, platform: createFakePlatform({ system, client, ...options }) };
};

const ask = async ({ platform }: ReturnType<typeof setUp>) => {
  const permit = await platform.attempt('getInvite');
  return permit === null ? 'no permit' : (await permit.send('code')).kind;
};

it('a permit settles itself when the client throws, and counts that as a failure of the platform', async () => {
  const getInvite = async (): Promise<never> => {
    throw new Error('a defect');
  };
  const test = setUp({ client: { getInvite } });
  for (let n = 0; n < 5; n += 1) await expect(ask(test)).rejects.toThrow('a defect');
  expect(test.platform.inFlight()).toBe(0);
  expect(await ask(test)).toBe('no permit');
});

it('a permit keeps to the pace, and is waited for as long as patience lasts', async () => {
  const test = setUp({ perSecond: 2 });
  expect([await ask(test), await ask(test)]).toEqual(['not-found', 'no permit']);
  const waiting = test.platform.requestPermit('getInvite');
  await test.advance(515);
  expect(await (await waiting)?.send('code')).toEqual(NOBODY);
  const slow = setUp({ perSecond: 0.5 });
  await ask(slow);
  expect(await slow.platform.requestPermit('getInvite')).toBeNull();
});
