import { describe, expect, it } from 'vitest';
import { createFakePlatform, type FakePlatformOptions } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { BotToken } from './bot-token.ts';
import type { PlatformAnswer } from './platform-answer.ts';

const NOBODY: PlatformAnswer<never> = { kind: 'not-found', reading: null };

const setUp = (options: Partial<FakePlatformOptions> = {}) => {
  const system = createFakeSystem();
  const client = { getInvite: async () => NOBODY };
  return { ...system, platform: createFakePlatform({ system, client, ...options }) };
};

const ask = async ({ platform }: ReturnType<typeof setUp>) => {
  const pass = await platform.pass('getInvite');
  return pass === null ? 'no pass' : (await pass.ask('code')).kind;
};

describe('a pass', () => {
  it('is good for one question', async () => {
    const { platform } = setUp();
    const pass = await platform.pass('getInvite');
    await pass?.ask('code');
    await expect(pass?.ask('code')).rejects.toThrow('one question');
    expect(() => pass?.release()).toThrow('one question');
    expect(platform.inFlight()).toBe(0);
  });

  it('settles itself when the client throws, and counts that as a failure of the platform', async () => {
    const getInvite = async (): Promise<never> => {
      throw new Error('a defect');
    };
    const test = setUp({ client: { getInvite } });
    for (let n = 0; n < 5; n += 1) await expect(ask(test)).rejects.toThrow('a defect');
    expect(test.platform.inFlight()).toBe(0);
    expect(await ask(test)).toBe('no pass');
  });

  it('counts invalid answers, and none are given once there were too many', async () => {
    const test = setUp({
      client: { getInvite: async () => ({ kind: 'forbidden' }) },
      invalidRequestLimit: 3,
    });
    for (let n = 0; n < 3; n += 1) expect(await ask(test)).toBe('forbidden');
    expect(test.platform.invalidRequests()).toBe(3);
    expect(await ask(test)).toBe('no pass');
    await test.advance(611_000);
    expect(await ask(test)).toBe('forbidden');
  });

  it('that is released is no probe: the next one may go', async () => {
    const test = setUp({ client: { getInvite: async () => ({ kind: 'failed', reason: 'timeout' }) } });
    for (let n = 0; n < 5; n += 1) await ask(test);
    await test.advance(1_000);
    (await test.platform.pass('getInvite'))?.release();
    expect(test.platform.inFlight()).toBe(0);
    expect(await ask(test)).toBe('failed');
  });

  it('keeps to the pace, and is waited for as long as patience lasts', async () => {
    const test = setUp({ perSecond: 2 });
    expect([await ask(test), await ask(test)]).toEqual(['not-found', 'no pass']);
    expect(await test.platform.pass('getInvite', 499)).toBeNull();
    const waiting = test.platform.pass('getInvite', 515);
    await test.advance(515);
    expect(await (await waiting)?.ask('code')).toEqual(NOBODY);
  });
});

describe('a pass for something', () => {
  it('is not given where there is nothing to send, and costs nothing then', async () => {
    const { platform } = setUp({ perSecond: 1 });
    expect(await platform.passFor('getUser', () => undefined)).toBeNull();
    expect(platform.inFlight()).toBe(0);
    expect(await platform.passFor('getUser', () => 'token')).toMatchObject({ chosen: 'token' });
  });

  it('does not even choose while nothing may leave', async () => {
    const { platform } = setUp({ perSecond: 1 });
    await platform.pass('getInvite');
    let chosen = 0;
    expect(await platform.passFor('getUser', () => (chosen += 1))).toBeNull();
    expect(chosen).toBe(0);
  });
});

describe('a ban', () => {
  const HOUR_MS = 3_600_000;
  const banned: PlatformAnswer<never> = { kind: 'blocked', retryAfterMs: HOUR_MS };
  const askUser = async ({ platform }: ReturnType<typeof setUp>) =>
    (await platform.pass('getUser'))?.ask('1' as Snowflake, {} as BotToken, 1_000);

  it('that an invite meets stops the invites, and no lookup', async () => {
    const test = setUp({ client: { getInvite: async () => banned, getUser: async () => NOBODY } });
    expect(await ask(test)).toBe('blocked');
    expect(await ask(test)).toBe('no pass');
    expect(test.platform.isPaused(test.clock.monotonicMs())).toBe(false);
    expect(await askUser(test)).toEqual(NOBODY);
    await test.advance(1.1 * HOUR_MS + 1);
    expect(await ask(test)).toBe('blocked');
  });

  it('that a lookup meets stops everything', async () => {
    const test = setUp({ client: { getInvite: async () => NOBODY, getUser: async () => banned } });
    expect(await askUser(test)).toEqual(banned);
    expect(await askUser(test)).toBeUndefined();
    expect(await ask(test)).toBe('no pass');
    await test.advance(1.1 * HOUR_MS + 1);
    expect(await ask(test)).toBe('not-found');
  });
});
