import { describe, expect, it } from 'vitest';
import type { DonationAnswer } from './donate-token.ts';
import {
  emptyDonation,
  nextDonationState,
  type DonationEvent,
  type DonationState,
} from './donation-state.ts';

const typed = (token: string): DonationEvent => ({ type: 'typed', token });
const submitted: DonationEvent = { type: 'submitted' };
const solved: DonationEvent = { type: 'solved', proof: 'p' };
const captchaClosed: DonationEvent = { type: 'captcha-closed' };
const answered = (answer: DonationAnswer): DonationEvent => ({ type: 'answered', answer });
const saved: DonationAnswer = { kind: 'saved', receipt: 'r-1' };
const refused: DonationAnswer = { kind: 'failed', message: 'No.', reaction: 'explain' };
const proofExpired: DonationAnswer = { kind: 'failed', message: 'Expired.', reaction: 'solve-again' };

const after = (...events: DonationEvent[]): DonationState => events.reduce(nextDonationState, emptyDonation);

describe('the steps of a donation', () => {
  it('goes from the field over the captcha and the server to thanks and an empty field', () => {
    const steps = [typed(' a.b.c\n'), submitted, solved, answered(saved)];
    expect(after(...steps.slice(0, 2))).toEqual({ step: 'solving', token: 'a.b.c', retried: false });
    expect(after(...steps.slice(0, 3))).toEqual({
      step: 'submitting',
      token: 'a.b.c',
      retried: false,
      proof: 'p',
    });
    expect(after(...steps)).toEqual({ step: 'editing', token: '', outcome: saved });
  });

  it.each(['', '  ', '\t\n'])('asks for a token without a captcha when the field has %j', (input) => {
    expect(after(typed(input), submitted)).toEqual({
      step: 'editing',
      token: '',
      outcome: { kind: 'token-missing' },
    });
  });

  it('keeps the token of a refused donation, and what was said, until the next try', () => {
    const refusal = [typed('a'), submitted, solved, answered(refused)];
    expect(after(...refusal)).toEqual({ step: 'editing', token: 'a', outcome: refused });
    expect(after(...refusal, typed('b'))).toEqual({ step: 'editing', token: 'b', outcome: refused });
    expect(after(...refusal, submitted)).toEqual({ step: 'solving', token: 'a', retried: false });
  });

  it('stops verifying when the captcha is closed', () => {
    expect(after(typed('a'), submitted, captchaClosed)).toEqual({ step: 'editing', token: 'a' });
  });

  it('solves again once for a proof that the server refuses, then says so', () => {
    const retried = [typed('a'), submitted, solved, answered(proofExpired)];
    expect(after(...retried)).toEqual({ step: 'solving', token: 'a', retried: true });
    expect(after(...retried, solved, answered(proofExpired))).toEqual({
      step: 'editing',
      token: 'a',
      outcome: proofExpired,
    });
  });

  it('ignores events that come too late or too early', () => {
    expect(after(solved)).toEqual(emptyDonation);
    expect(after(answered(saved))).toEqual(emptyDonation);
    expect(after(typed('a'), submitted, captchaClosed, solved)).toMatchObject({ step: 'editing' });
    expect(after(typed('a'), submitted, typed('b'))).toMatchObject({ step: 'solving', token: 'a' });
    expect(after(typed('a'), submitted, solved, captchaClosed)).toMatchObject({ step: 'submitting' });
    expect(after(typed('a'), submitted, solved, submitted)).toMatchObject({ step: 'submitting' });
  });
});
