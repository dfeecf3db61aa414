import type { DonationAnswer } from './donate-token.ts';

/** A donation that is under way. `retried` says that its one silent retry is spent. */
type Attempt = { readonly token: string; readonly retried: boolean };

export type DonationOutcome = DonationAnswer | { readonly kind: 'token-missing' };

export type DonationState =
  | { readonly step: 'editing'; readonly token: string; readonly outcome?: DonationOutcome }
  | ({ readonly step: 'solving' } & Attempt)
  | ({ readonly step: 'submitting'; readonly proof: string } & Attempt);

export type DonationEvent =
  | { readonly type: 'typed'; readonly token: string }
  | { readonly type: 'submitted' }
  | { readonly type: 'solved'; readonly proof: string }
  | { readonly type: 'captcha-closed' }
  | { readonly type: 'answered'; readonly answer: DonationAnswer };

export const emptyDonation: DonationState = { step: 'editing', token: '' };

const submit = (input: string): DonationState => {
  const token = input.trim();
  return token === ''
    ? { step: 'editing', token, outcome: { kind: 'token-missing' } }
    : { step: 'solving', token, retried: false };
};

const receive = ({ token, retried }: Attempt, answer: DonationAnswer): DonationState => {
  if (answer.kind === 'saved') return { ...emptyDonation, outcome: answer };
  return answer.reaction === 'solve-again' && !retried
    ? { step: 'solving', token, retried: true }
    : { step: 'editing', token, outcome: answer };
};

/** What the next state is. An event that does not fit the state, such as a late answer, changes nothing. */
export const nextDonationState = (state: DonationState, event: DonationEvent): DonationState => {
  switch (event.type) {
    case 'typed':
      return state.step === 'editing' ? { ...state, token: event.token } : state;
    case 'submitted':
      return state.step === 'editing' ? submit(state.token) : state;
    case 'solved':
      return state.step === 'solving' ? { ...state, step: 'submitting', proof: event.proof } : state;
    case 'captcha-closed':
      return state.step === 'solving' ? { step: 'editing', token: state.token } : state;
    case 'answered':
      return state.step === 'submitting' ? receive(state, event.answer) : state;
  }
};
