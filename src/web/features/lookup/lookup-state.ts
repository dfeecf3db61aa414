import { parseSnowflake } from '#shared/snowflake.ts';
import { idProblemText } from './id-problems.ts';
import type { LookupAnswer, LookupFailure } from './look-up.ts';

/** A lookup that is under way. `retried` says that its one silent retry is spent. */
type Attempt = { readonly id: string; readonly retried: boolean };

export type LookupState =
  | { readonly step: 'idle' }
  | ({ readonly step: 'solving' } & Attempt)
  | ({ readonly step: 'asking'; readonly proof: string } & Attempt)
  | {
      readonly step: 'answered';
      readonly id: string;
      readonly answer: LookupAnswer;
      /** Whether the visitor had to wait for it. What is wrong with the text itself is said at once. */
      readonly waited: boolean;
    };

export type LookupEvent =
  | { readonly type: 'submitted'; readonly input: string; readonly platformName: string }
  | { readonly type: 'solved'; readonly proof: string }
  | { readonly type: 'cancelled' }
  | { readonly type: 'asked-again' }
  | { readonly type: 'answered'; readonly answer: LookupAnswer };

export const idleLookup: LookupState = { step: 'idle' };

const solve = (id: string): LookupState => ({ step: 'solving', id, retried: false });

/** An id that the visitor's clock takes for one of the future is asked for: the clock may be wrong. */
const submit = (input: string, platformName: string): LookupState => {
  const parsed = parseSnowflake(input, Infinity);
  if (parsed.ok) return solve(parsed.id);
  const { problem } = parsed;
  const message = idProblemText(problem, platformName);
  return {
    step: 'answered',
    id: input.trim(),
    answer: { kind: 'failed', message, reaction: 'fix-input', cause: `id-${problem}` },
    waited: false,
  };
};

const receive = ({ id, retried }: Attempt, answer: LookupAnswer): LookupState =>
  answer.kind === 'failed' && answer.reaction === 'solve-again' && !retried
    ? { step: 'solving', id, retried: true }
    : { step: 'answered', id, answer, waited: true };

/** What the next state is. An event that does not fit the state, such as a late answer, changes nothing. */
export const nextLookupState = (state: LookupState, event: LookupEvent): LookupState => {
  if (state.step === 'asking') return event.type === 'answered' ? receive(state, event.answer) : state;
  if (event.type === 'submitted') return submit(event.input, event.platformName);
  if (state.step === 'solving' && event.type === 'solved')
    return { ...state, step: 'asking', proof: event.proof };
  if (state.step === 'solving' && event.type === 'cancelled') return idleLookup;
  if (state.step === 'answered' && event.type === 'asked-again') return solve(state.id);
  return state;
};

/** The id whose profile is on the screen. */
export const foundIdOf = (state: LookupState): string | undefined =>
  state.step === 'answered' && state.answer.kind === 'found' ? state.id : undefined;

/** A failure that the visitor mends by changing what is in the field. */
export const idFailureOf = (state: LookupState): LookupFailure | undefined =>
  state.step === 'answered' && state.answer.kind === 'failed' && state.answer.reaction === 'fix-input'
    ? state.answer
    : undefined;
