import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { openSession, unavailable } from './session.ts';

const setUp = () => {
  const { clock, advance, stall } = createFakeSystem();
  const { promise: reply, resolve: answer } = Promise.withResolvers<string>();
  const connection = { send: () => reply, destroy: () => answer(Promise.reject(new Error('destroyed'))) };
  const session = openSession({
    clock,
    redisClock: { nowMs: clock.wallMs },
    connection,
    onCall: () => {},
  });
  return { session, advance, stall, answer };
};

describe('a question without an answer', () => {
  it('ends the session after half a second', async () => {
    const { session, advance } = setUp();
    const asked = expect(session.send('PING')).rejects.toThrow(unavailable());
    await advance(500);
    expect(session.ended.aborted).toBe(false);
    await advance(100);
    expect(session.ended.reason).toBe('silent');
    await asked;
  });

  it('is waited for as long as we were too busy to read it, up to a limit', async () => {
    const { session, advance, stall, answer } = setUp();
    const asked = session.send('PING');
    for (let n = 0; n < 3; n += 1) {
      stall(900);
      await advance(0);
      expect(session.ended.aborted).toBe(false);
    }
    answer('PONG');
    expect(await asked).toBe('PONG');

    const forgotten = setUp();
    const refused = expect(forgotten.session.send('PING')).rejects.toThrow(unavailable());
    forgotten.stall(3_100);
    await forgotten.advance(0);
    expect(forgotten.session.ended.reason).toBe('silent');
    await refused;
  });
});
