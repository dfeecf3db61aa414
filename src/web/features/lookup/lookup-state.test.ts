import { describe, expect, it } from 'vitest';
import type { Profile } from '#shared/contract/profile.ts';
import type { LookupAnswer } from './look-up.ts';
import {
  foundIdOf,
  idFailureOf,
  idleLookup,
  nextLookupState,
  type LookupEvent,
  type LookupState,
} from './lookup-state.ts';

const submitted = (input: string): LookupEvent => ({ type: 'submitted', input, platformName: 'Discord' });
const solved: LookupEvent = { type: 'solved', proof: 'p' };
const cancelled: LookupEvent = { type: 'cancelled' };
const askedAgain: LookupEvent = { type: 'asked-again' };
const answered = (answer: LookupAnswer): LookupEvent => ({ type: 'answered', answer });
const notFound: LookupAnswer = { kind: 'not-found', id: '1', createdUtc: '2015-08-10T14:44:46.784Z' };
const proofUsed: LookupAnswer = {
  kind: 'failed',
  message: 'Used.',
  reaction: 'solve-again',
  cause: 'proof-used',
};

const after = (...events: LookupEvent[]): LookupState => events.reduce(nextLookupState, idleLookup);

describe('the steps of a lookup', () => {
  it('goes from the form over the captcha and the server to the answer', () => {
    expect(after(submitted(' 42\n'))).toEqual({ step: 'solving', id: '42', retried: false });
    expect(after(submitted('42'), solved)).toEqual({ step: 'asking', id: '42', retried: false, proof: 'p' });
    expect(after(submitted('42'), solved, answered(notFound))).toEqual({
      step: 'answered',
      id: '42',
      answer: notFound,
      waited: true,
    });
  });

  it.each(['', '  ', '\t\n'])('refuses the empty id %j without a captcha', (input) => {
    const message = 'Enter a Discord snowflake to lookup.';
    expect(after(submitted(input))).toEqual({
      step: 'answered',
      id: '',
      answer: { kind: 'failed', message, reaction: 'fix-input', cause: 'id-missing' },
      waited: false,
    });
  });

  it.each(['somebody', '0', '99999999999999999999'])('refuses %j without a captcha', (input) => {
    expect(after(submitted(input))).toMatchObject({ step: 'answered', answer: { reaction: 'fix-input' } });
  });

  it('leaves it to the server to say that an id lies in the future', () => {
    expect(after(submitted('9223372036854775807'))).toMatchObject({ step: 'solving' });
  });

  it('takes the id out of a mention', () => {
    expect(after(submitted('<@42>'))).toMatchObject({ step: 'solving', id: '42' });
  });

  it('starts afresh when an answer is on the screen', () => {
    const events = [submitted('1'), solved, answered(notFound), submitted('2')];
    expect(after(...events)).toEqual({ step: 'solving', id: '2', retried: false });
  });

  it('asks again for the same id', () => {
    const events = [submitted('1'), solved, answered(notFound), askedAgain];
    expect(after(...events)).toEqual({ step: 'solving', id: '1', retried: false });
  });

  it('goes back to the form when the captcha is closed', () => {
    expect(after(submitted('1'), cancelled)).toEqual(idleLookup);
  });

  it('solves again once for a proof that the server refuses, then says so', () => {
    const retried = [submitted('1'), solved, answered(proofUsed)];
    expect(after(...retried)).toEqual({ step: 'solving', id: '1', retried: true });
    expect(after(...retried, solved, answered(proofUsed))).toEqual({
      step: 'answered',
      id: '1',
      answer: proofUsed,
      waited: true,
    });
  });

  it('ignores events that come too late', () => {
    expect(after(submitted('1'), cancelled, solved)).toEqual(idleLookup);
    expect(after(answered(notFound))).toEqual(idleLookup);
    expect(after(submitted('1'), solved, cancelled)).toMatchObject({ step: 'asking' });
    expect(after(submitted('1'), solved, submitted('2'))).toMatchObject({ step: 'asking', id: '1' });
  });
});

describe('what the page asks of a lookup', () => {
  const found: LookupAnswer = { kind: 'found', profile: {} as Profile };

  it('is the id of a profile on the screen', () => {
    expect(foundIdOf(after(submitted('1'), solved, answered(found)))).toBe('1');
    expect(foundIdOf(after(submitted('1'), solved, answered(notFound)))).toBeUndefined();
    expect(foundIdOf(after(submitted('1'), solved))).toBeUndefined();
  });

  it('is a failure that points at the field', () => {
    expect(idFailureOf(after(submitted('')))).toMatchObject({ cause: 'id-missing' });
    const retried = [submitted('1'), solved, answered(proofUsed), solved, answered(proofUsed)];
    expect(idFailureOf(after(...retried))).toBeUndefined();
    expect(idFailureOf(idleLookup)).toBeUndefined();
  });
});
