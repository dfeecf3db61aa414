import type { ServerFailure } from '../../server-failure.ts';

export type SubmissionAnswer =
  /** The receipt is what the donor can take the token back with. The server gives it this once. */
  | { readonly kind: 'accepted'; readonly message: string; readonly receipt?: string }
  | ({ readonly kind: 'failed' } & ServerFailure);

/** A token or a receipt that is on its way. `retried` says that its one silent retry is spent. */
type Attempt = { readonly secret: string; readonly retried: boolean };

export type SubmissionOutcome = SubmissionAnswer | { readonly kind: 'missing' };

export type SubmissionState =
  | { readonly step: 'editing'; readonly secret: string; readonly outcome?: SubmissionOutcome }
  | ({ readonly step: 'solving' } & Attempt)
  | ({ readonly step: 'submitting'; readonly proof: string } & Attempt);

export type SubmissionEvent =
  | { readonly type: 'typed'; readonly secret: string }
  | { readonly type: 'submitted' }
  | { readonly type: 'solved'; readonly proof: string }
  | { readonly type: 'captcha-closed' }
  | { readonly type: 'answered'; readonly answer: SubmissionAnswer };

export const emptySubmission: SubmissionState = { step: 'editing', secret: '' };

const submit = (input: string): SubmissionState => {
  const secret = input.trim();
  return secret === ''
    ? { step: 'editing', secret, outcome: { kind: 'missing' } }
    : { step: 'solving', secret, retried: false };
};

const receive = ({ secret, retried }: Attempt, answer: SubmissionAnswer): SubmissionState => {
  if (answer.kind === 'accepted') return { ...emptySubmission, outcome: answer };
  return answer.reaction === 'solve-again' && !retried
    ? { step: 'solving', secret, retried: true }
    : { step: 'editing', secret, outcome: answer };
};

/** What the next state is. An event that does not fit the state, such as a late answer, changes nothing. */
export const nextSubmissionState = (state: SubmissionState, event: SubmissionEvent): SubmissionState => {
  switch (event.type) {
    case 'typed':
      return state.step === 'editing' ? { ...state, secret: event.secret } : state;
    case 'submitted':
      return state.step === 'editing' ? submit(state.secret) : state;
    case 'solved':
      return state.step === 'solving' ? { ...state, step: 'submitting', proof: event.proof } : state;
    case 'captcha-closed':
      return state.step === 'solving' ? { step: 'editing', secret: state.secret } : state;
    case 'answered':
      return state.step === 'submitting' ? receive(state, event.answer) : state;
  }
};
