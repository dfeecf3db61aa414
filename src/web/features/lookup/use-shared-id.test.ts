import { expect, it } from 'vitest';
import type { Profile } from '#shared/contract/profile.ts';
import type { LookupAnswer } from './look-up.ts';
import { foundIdOf } from './use-shared-id.ts';

const answered = (answer: LookupAnswer) => ({ step: 'answered', input: '', answer, waited: true }) as const;

it('shares the id of a profile on the screen, and no other', () => {
  expect(foundIdOf(answered({ kind: 'found', id: '1', profile: {} as Profile }))).toBe('1');
  expect(foundIdOf(answered({ kind: 'not-found', id: '1', createdUtc: '' }))).toBeUndefined();
  expect(
    foundIdOf({ step: 'sending', input: '1', proof: 'p', retried: false, before: { step: 'idle' } }),
  ).toBeUndefined();
});
