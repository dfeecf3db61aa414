import { useEffect, useEffectEvent, useReducer } from 'react';
import type { ErrorCode } from '#shared/contract/errors.ts';
import type { Failure, Network } from './ask-server.ts';
import { useEnvironment } from './environment.ts';

/** A request under way, for an id, a token or a receipt. `retried` says that its one silent retry is spent. */
type Attempt = { readonly input: string; readonly retried: boolean };

/** A request that the server takes only with a solved captcha. */
export type RequestState<Answer> =
  | { readonly step: 'idle' }
  | ({ readonly step: 'solving' } & Attempt)
  | ({ readonly step: 'sending'; readonly proof: string } & Attempt)
  | {
      readonly step: 'answered';
      /** What can be sent again. Empty once it was accepted: it may be a secret. */
      readonly input: string;
      readonly answer: Answer | Failure;
      /** Whether the visitor had to wait for it. What is wrong with the input itself is said at once. */
      readonly waited: boolean;
    };

/** `refused`: the visitor must fix the input first, which is not worth a captcha as it is. */
export type Submission =
  | { readonly type: 'submitted'; readonly input: string }
  | { readonly type: 'refused'; readonly cause: ErrorCode; readonly message: string };

export type RequestEvent<Answer> =
  | Submission
  | { readonly type: 'solved'; readonly proof: string }
  | { readonly type: 'cancelled' }
  | { readonly type: 'answered'; readonly answer: Answer | Failure };

type Kinds = { readonly kind: string };

const isFailure = (answer: Kinds): answer is Failure => answer.kind === 'failed';

const receive = <Answer extends Kinds>(
  { input, retried }: Attempt,
  answer: Answer | Failure,
): RequestState<Answer> => {
  if (!isFailure(answer)) return { step: 'answered', input: '', answer, waited: true };
  if (answer.reaction === 'solve-again' && !retried) return { step: 'solving', input, retried: true };
  return { step: 'answered', input, answer, waited: true };
};

/** What the next state is. An event that does not fit the state, such as a late answer, changes nothing. */
export const nextRequestState = <Answer extends Kinds>(
  state: RequestState<Answer>,
  event: RequestEvent<Answer>,
): RequestState<Answer> => {
  if (state.step === 'sending') return event.type === 'answered' ? receive(state, event.answer) : state;
  if (event.type === 'submitted') return { step: 'solving', input: event.input, retried: false };
  if (event.type === 'refused') {
    const { cause, message } = event;
    const answer: Failure = { kind: 'failed', message, reaction: 'fix-input', cause };
    return { step: 'answered', input: '', answer, waited: false };
  }
  if (state.step !== 'solving') return state;
  if (event.type === 'solved') return { ...state, step: 'sending', proof: event.proof };
  return event.type === 'cancelled' ? { step: 'idle' } : state;
};

/** A failure that the visitor fixes by changing what is in the field. */
export const inputFailureOf = <Answer extends Kinds>(state: RequestState<Answer>): Failure | undefined =>
  state.step === 'answered' && isFailure(state.answer) && state.answer.reaction === 'fix-input'
    ? state.answer
    : undefined;

export type Proved = { readonly input: string; readonly proof: string };

export type Send<Answer> = (proved: Proved, network: Network) => Promise<Answer | Failure>;

export type ProvedRequest<Answer> = {
  readonly state: RequestState<Answer>;
  readonly dispatch: (event: RequestEvent<Answer>) => void;
};

/** Lives and is forgotten with its component. */
export const useProvedRequest = <Answer extends Kinds>(): ProvedRequest<Answer> => {
  const [state, dispatch] = useReducer(nextRequestState<Answer>, { step: 'idle' });
  return { state, dispatch };
};

/** Sends the request as soon as it has its proof. Apart, because a lookup loads what sends it on first use. */
export const useSending = <Answer>({ state, dispatch }: ProvedRequest<Answer>, send: Send<Answer>): void => {
  const { browser } = useEnvironment();
  const start = useEffectEvent((proved: Proved, signal: AbortSignal) => send(proved, { ...browser, signal }));

  useEffect(() => {
    if (state.step !== 'sending') return undefined;
    const leaving = new AbortController();
    const ask = async (): Promise<void> => {
      const answer = await start(state, leaving.signal);
      if (!leaving.signal.aborted) dispatch({ type: 'answered', answer });
    };
    void ask();
    return () => leaving.abort();
  }, [state, dispatch]);
};
