import { describe, expect, it } from 'vitest';
import type { InvalidCell, InvalidRequestJournal } from './invalid-request-file.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createInvalidRequests, type InvalidRequestsDeps } from './invalid-requests.ts';

const createJournal = (): InvalidRequestJournal => {
  let saved: readonly InvalidCell[] = [];
  return {
    load: () => saved,
    save: (cells) => {
      saved = cells;
    },
  };
};

const create = (deps: Omit<InvalidRequestsDeps, 'onJournalFailed'>) =>
  createInvalidRequests({ onJournalFailed: () => {}, ...deps });

describe('createInvalidRequests', () => {
  it('stops at the limit, counting what is in flight as if it were invalid', () => {
    const { clock } = createFakeSystem();
    const invalid = create({ clock, journal: createJournal(), limit: 10 });
    for (let n = 0; n < 6; n += 1) invalid.record();
    expect(invalid.freeAtMs(0, 3)).toBe(-Infinity);
    expect(invalid.freeAtMs(0, 4)).toBeGreaterThan(0);
  });

  it('opens again when ten minutes have passed, not sooner', async () => {
    const { clock, advance } = createFakeSystem();
    const invalid = create({ clock, journal: createJournal(), limit: 2 });
    invalid.record();
    await advance(9_000);
    invalid.record();
    await advance(599_000);
    expect(invalid.freeAtMs(clock.monotonicMs(), 0)).toBeGreaterThan(clock.monotonicMs());
    await advance(2_001);
    expect([invalid.freeAtMs(clock.monotonicMs(), 0), invalid.count()]).toEqual([-Infinity, 0]);
  });

  it('remembers across a restart, by wall clock', async () => {
    const journal = createJournal();
    const before = createFakeSystem({ wallMs: 1_000_000 });
    const first = create({ clock: before.clock, journal });
    for (let n = 0; n < 5; n += 1) first.record();
    const after = createFakeSystem({ wallMs: 1_300_000 });
    const second = create({ clock: after.clock, journal });
    expect(second.count()).toBe(5);
    await after.advance(311_000);
    expect(second.count()).toBe(0);
  });

  it('counts what a wrong clock has dated ahead for no longer than anything else', async () => {
    const journal = createJournal();
    journal.save([{ startWallMs: 86_400_000, count: 5 }]);
    const { clock, advance } = createFakeSystem({ wallMs: 1_000_000 });
    const invalid = create({ clock, journal });
    expect(invalid.count()).toBe(5);
    await advance(611_000);
    expect(invalid.count()).toBe(0);
  });

  it('goes on counting when the journal cannot be written, and says so', () => {
    const { clock } = createFakeSystem();
    let failures = 0;
    const save = () => {
      throw new Error('The disk is full.');
    };
    const invalid = createInvalidRequests({
      clock,
      journal: { load: () => [], save },
      onJournalFailed: () => (failures += 1),
    });
    invalid.record();
    invalid.record();
    expect([invalid.count(), failures]).toEqual([2, 2]);
  });
});
