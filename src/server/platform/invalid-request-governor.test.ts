import { describe, expect, it } from 'vitest';
import type { InvalidCell, InvalidRequestJournal } from './invalid-request-file.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createInvalidRequestGovernor, type GovernorDeps } from './invalid-request-governor.ts';

const createJournal = (): InvalidRequestJournal => {
  let saved: readonly InvalidCell[] = [];
  return {
    load: () => saved,
    save: (cells) => {
      saved = cells;
    },
  };
};

const createGovernor = (deps: Omit<GovernorDeps, 'onJournalFailed'>) =>
  createInvalidRequestGovernor({ onJournalFailed: () => {}, ...deps });

describe('createInvalidRequestGovernor', () => {
  it('stops at the limit, counting what is under way as if it were invalid', () => {
    const { clock } = createFakeSystem();
    const governor = createGovernor({ clock, journal: createJournal(), limit: 10 });
    for (let n = 0; n < 6; n += 1) governor.record();
    expect(governor.freeAtMs(0, 3)).toBe(-Infinity);
    expect(governor.freeAtMs(0, 4)).toBeGreaterThan(0);
  });

  it('opens again when ten minutes have passed, not sooner', async () => {
    const { clock, advance } = createFakeSystem();
    const governor = createGovernor({ clock, journal: createJournal(), limit: 2 });
    governor.record();
    await advance(9_000);
    governor.record();
    await advance(599_000);
    expect(governor.freeAtMs(clock.monotonicMs(), 0)).toBeGreaterThan(clock.monotonicMs());
    await advance(2_001);
    expect([governor.freeAtMs(clock.monotonicMs(), 0), governor.count()]).toEqual([-Infinity, 0]);
  });

  it('remembers across a restart, by wall clock', async () => {
    const journal = createJournal();
    const before = createFakeSystem({ wallMs: 1_000_000 });
    const first = createGovernor({ clock: before.clock, journal });
    for (let n = 0; n < 5; n += 1) first.record();
    const after = createFakeSystem({ wallMs: 1_300_000 });
    const second = createGovernor({ clock: after.clock, journal });
    expect(second.count()).toBe(5);
    await after.advance(311_000);
    expect(second.count()).toBe(0);
  });

  it('goes on counting when the journal cannot be written, and says so', () => {
    const { clock } = createFakeSystem();
    let failures = 0;
    const save = () => {
      throw new Error('The disk is full.');
    };
    const governor = createInvalidRequestGovernor({
      clock,
      journal: { load: () => [], save },
      onJournalFailed: () => (failures += 1),
    });
    governor.record();
    governor.record();
    expect([governor.count(), failures]).toEqual([2, 2]);
  });
});
