import { describe, expect, it } from 'vitest';

import {
  emptySubmission,
  nextSubmissionState,
  type SubmissionEvent,
  type SubmissionAnswer,
  type SubmissionState,
} from './submission-state.ts';

const typed = (secret: string): SubmissionEvent => ({ type: 'typed', secret });
const submitted: SubmissionEvent = { type: 'submitted' };
const solved: SubmissionEvent = { type: 'solved', proof: 'p' };
const captchaClosed: SubmissionEvent = { type: 'captcha-closed' };
const answered = (answer: SubmissionAnswer): SubmissionEvent => ({ type: 'answered', answer });
const saved: SubmissionAnswer = { kind: 'accepted', message: 'Saved.', receipt: 'r-1' };
const refused: SubmissionAnswer = { kind: 'failed', message: 'No.', reaction: 'explain' };
const proofExpired: SubmissionAnswer = { kind: 'failed', message: 'Expired.', reaction: 'solve-again' };

const after = (...events: SubmissionEvent[]): SubmissionState =>
  events.reduce(nextSubmissionState, emptySubmission);

describe('the steps of a submission', () => {
  it('goes from the field over the captcha and the server to thanks and an empty field', () => {
    const steps = [typed(' a.b.c\n'), submitted, solved, answered(saved)];
    expect(after(...steps.slice(0, 2))).toEqual({ step: 'solving', secret: 'a.b.c', retried: false });
    expect(after(...steps.slice(0, 3))).toEqual({
      step: 'submitting',
      secret: 'a.b.c',
      retried: false,
      proof: 'p',
    });
    expect(after(...steps)).toEqual({ step: 'editing', secret: '', outcome: saved });
  });

  it.each(['', '  ', '\t\n'])('asks for a token without a captcha when the field has %j', (input) => {
    expect(after(typed(input), submitted)).toEqual({
      step: 'editing',
      secret: '',
      outcome: { kind: 'missing' },
    });
  });

  it('keeps the token of a refused submission, and what was said, until the next try', () => {
    const refusal = [typed('a'), submitted, solved, answered(refused)];
    expect(after(...refusal)).toEqual({ step: 'editing', secret: 'a', outcome: refused });
    expect(after(...refusal, typed('b'))).toEqual({ step: 'editing', secret: 'b', outcome: refused });
    expect(after(...refusal, submitted)).toEqual({ step: 'solving', secret: 'a', retried: false });
  });

  it('stops verifying when the captcha is closed', () => {
    expect(after(typed('a'), submitted, captchaClosed)).toEqual({ step: 'editing', secret: 'a' });
  });

  it('solves again once for a proof that the server refuses, then says so', () => {
    const retried = [typed('a'), submitted, solved, answered(proofExpired)];
    expect(after(...retried)).toEqual({ step: 'solving', secret: 'a', retried: true });
    expect(after(...retried, solved, answered(proofExpired))).toEqual({
      step: 'editing',
      secret: 'a',
      outcome: proofExpired,
    });
  });

  it('ignores events that come too late or too early', () => {
    expect(after(solved)).toEqual(emptySubmission);
    expect(after(answered(saved))).toEqual(emptySubmission);
    expect(after(typed('a'), submitted, captchaClosed, solved)).toMatchObject({ step: 'editing' });
    expect(after(typed('a'), submitted, typed('b'))).toMatchObject({ step: 'solving', secret: 'a' });
    expect(after(typed('a'), submitted, solved, captchaClosed)).toMatchObject({ step: 'submitting' });
    expect(after(typed('a'), submitted, solved, submitted)).toMatchObject({ step: 'submitting' });
  });
});
