// @module-tag slow
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usePoolKinds } from '#test/support/pool-kinds.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { FAULTS, simulateIncident, type Incident, type Phase } from '#test/support/incident-simulation.ts';

const kinds = usePoolKinds();
const DAY_MINUTES = 24 * 60;
const WHOLE: Omit<Phase, 'fault' | 'minutes'> = { share: 1, route: 'all', isFlapping: false };
const DAY_OF_REFUSALS: Phase = { ...WHOLE, fault: 'refused', minutes: DAY_MINUTES };

const phases: fc.Arbitrary<readonly Phase[]> = fc
  .array(
    fc.record({
      fault: fc.constantFrom(...(Object.keys(FAULTS) as (keyof typeof FAULTS)[])),
      minutes: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 600 })),
      share: fc.constantFrom(0.1, 0.5, 1, 1),
      route: fc.constantFrom('all', 'lookups', 'bots'),
      isFlapping: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((drawn) => {
    let left = DAY_MINUTES;
    return drawn.map((phase) => {
      const minutes = Math.min(phase.minutes, left);
      left -= minutes;
      return Object.assign(phase, { minutes });
    });
  });

const incidents: fc.Arbitrary<Incident> = fc
  .record({
    tokens: fc.constantFrom(1, 2, 3, 8, 19, 21, 60, 200, 1_000),
    revokedShare: fc.constantFrom(0, 0, 0.05),
    phases,
    secondsBetweenLookups: fc.constantFrom(2, 20, 120),
  })
  .map(({ tokens, revokedShare, phases, secondsBetweenLookups }) => {
    const revoked = Math.floor(tokens * revokedShare);
    return { tokens, revoked, phases, secondsBetweenLookups };
  });

const expectHarmless = async (incident: Incident) => {
  const { missing, retired, mostInvalid } = await simulateIncident(incident);
  expect({ missing, retired }).toEqual({ missing: [], retired: [] });
  expect(mostInvalid).toBeLessThanOrEqual(500);
};

describe('ten minutes after an incident of up to a day', () => {
  it.each([1, 2, 11, 100, 1_000])(
    'all of %i tokens that the platform refused for a day are in use again',
    async (tokens) => {
      await expectHarmless({ tokens, revoked: 0, phases: [DAY_OF_REFUSALS], secondsBetweenLookups: 20 });
    },
  );

  it('twelve seconds of refusals cost a small site nothing', async () => {
    const phase = { ...DAY_OF_REFUSALS, minutes: 0.2 };
    await expectHarmless({ tokens: 11, revoked: 0, phases: [phase], secondsBetweenLookups: 0.5 });
  });

  it.skipIf(POSTGRES_MISSING !== null)('nor do they cost several servers anything', async () => {
    const phase = { ...DAY_OF_REFUSALS, minutes: 0.2 };
    const inPostgres = kinds.find(({ kind }) => kind === 'in PostgreSQL')?.start;
    const incident = { tokens: 11, revoked: 0, phases: [phase], secondsBetweenLookups: 0.5 };
    expect(await simulateIncident(incident, inPostgres)).toMatchObject({ missing: [], retired: [] });
  });

  it('every token that works is in use again, none is gone, and few requests were invalid', async () => {
    await fc.assert(fc.asyncProperty(incidents, expectHarmless), { numRuns: 12, seed: 37 });
  });
});

describe('a token that is really revoked', () => {
  it('is retired after three days, not before, and at little cost', async () => {
    const quiet: Phase = { ...WHOLE, fault: 'none', minutes: 71 * 60 };
    const before = await simulateIncident({
      tokens: 3,
      revoked: 1,
      phases: [quiet],
      secondsBetweenLookups: 30,
    });
    expect(before).toMatchObject({ missing: [], retired: [] });
    const after = await simulateIncident({
      tokens: 3,
      revoked: 1,
      phases: [{ ...quiet, minutes: 80 * 60 }],
      secondsBetweenLookups: 30,
    });
    expect(after).toMatchObject({ missing: [], retired: ['0'] });
    expect(after.invalid).toBeLessThan(350);
  });
});
