import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { openMemoryTokenStore } from './memory-token-store.ts';

it.each([1, 7, 50, 1_000, 10_000])(
  'a pace of %i a second is used to 97 %%, however late',
  async (perSecond) => {
    const { clock, advance, random } = createFakeSystem();
    const store = openMemoryTokenStore({ clock, perSecond })(() => {});
    const untilMs = perSecond < 50 ? 600_000 : 5_000;
    let sent = 0;
    while (clock.monotonicMs() < untilMs) {
      if ((await store.apply({ view: await store.read('none'), isSend: true })) !== null) sent += 1;
      if (store.slotWaitMs() > 0) await advance(store.slotWaitMs() + random.integer(10));
    }
    expect(sent / (perSecond * (untilMs / 1_000))).toBeGreaterThanOrEqual(0.97);
  },
);
