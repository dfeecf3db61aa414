import { useEffectEvent, useLayoutEffect, useReducer } from 'react';
import type { Failure, FailureCause, Network } from './ask-server.ts';
import { useEnvironment, useErrorTexts } from './environment.ts';

type Kinds = { readonly kind: string };

type Settled = {
  /** What is wrong with what was entered. It is said at the field, and what is shown below stays. */
  readonly problem?: Failure | undefined;
};

type Rest = Settled & {
  readonly step: 'rest';
  /** A link was opened that waits for a press. */
  readonly invited?: boolean;
};
/** Waits for the code that goes on, and one that a link asks for until the page is visible. */
type Starting = { readonly step: 'starting'; readonly input: string; readonly linked: boolean };
type Attempt = { readonly input: string; readonly again: boolean };
type Proving = Attempt & { readonly step: 'proving' };
type Sending = Attempt & { readonly step: 'sending'; readonly proof: string };
/** Without the input, which may be a secret. */
type Answered<Answer> = Settled & {
  readonly step: 'answered';
  readonly answer: Answer;
  readonly proof?: string;
};
type Refused = Settled & {
  readonly step: 'refused';
  readonly input: string;
  readonly failure: Failure;
  readonly proof: string;
};
type Cancelled = Settled & { readonly step: 'cancelled'; readonly input: string };

export type RequestState<Answer> =
  | Rest
  | Starting
  | Proving
  | Sending
  | Answered<Answer>
  | Refused
  | Cancelled;

/** `invalid`: as it is, it is not worth a captcha. */
export type Submission =
  | { readonly type: 'submitted'; readonly input: string }
  | { readonly type: 'invalid'; readonly cause: FailureCause; readonly message: string };

export type RequestEvent<Answer> =
  | Submission
  | { readonly type: 'asked'; readonly input: string; readonly linked: boolean }
  | { readonly type: 'dropped'; readonly invited?: boolean }
  | { readonly type: 'edited' }
  | { readonly type: 'proved'; readonly proof: string }
  | { readonly type: 'answered'; readonly answer: Answer | Failure }
  /** At the captcha. What was already sent goes on. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'abandoned' }
  | { readonly type: 'revisited'; readonly input: string; readonly answer: Answer | undefined };

type State = RequestState<Kinds>;
type Event = RequestEvent<Kinds>;
type EventOf<Type> = Extract<Event, { readonly type: Type }>;
type Table = {
  readonly [Step in State['step']]: {
    readonly [Type in Event['type']]?: (
      state: Extract<State, { readonly step: Step }>,
      event: EventOf<Type>,
    ) => State;
  };
};

const isFailure = (answer: Kinds): answer is Failure => answer.kind === 'failed';

const REST: Rest = { step: 'rest' };

const receive = ({ input, again, proof }: Sending, answer: Kinds): State => {
  if (!isFailure(answer)) return { step: 'answered', answer, proof };
  if (answer.reaction === 'solve-again' && !again) return { step: 'proving', input, again: true };
  return { step: 'refused', input, failure: answer, proof };
};

const revisit = (input: string, answer: Kinds | undefined): State => {
  if (answer) return { step: 'answered', answer };
  return input === '' ? REST : { step: 'starting', input, linked: true };
};

const ALWAYS = {
  revisited: (_: State, { input, answer }: EventOf<'revisited'>): State => revisit(input, answer),
};
const AT_REST = {
  ...ALWAYS,
  asked: (_: State, { input, linked }: EventOf<'asked'>): Starting => ({ step: 'starting', input, linked }),
  submitted: (_: State, { input }: EventOf<'submitted'>): Proving => ({
    step: 'proving',
    input,
    again: false,
  }),
  invalid: <Here extends Settled>(state: Here, { cause, message }: EventOf<'invalid'>): Here => ({
    ...state,
    problem: { kind: 'failed', message, reaction: 'fix-input', cause },
  }),
};
const withoutProblem = <Here extends Settled>(state: Here): Here =>
  state.problem ? { ...state, problem: undefined } : state;
const cancel = ({ input }: Attempt): Cancelled => ({ step: 'cancelled', input });

/** An event that does not fit the state, such as a late answer, changes nothing. */
const TRANSITIONS: Table = {
  rest: { ...AT_REST, edited: () => REST },
  starting: {
    ...AT_REST,
    invalid: (_, event) => AT_REST.invalid(REST, event),
    dropped: (_, { invited = false }) => (invited ? { ...REST, invited } : REST),
    edited: (state) => (state.linked ? REST : state),
  },
  proving: {
    ...ALWAYS,
    proved: (state, { proof }) => ({ ...state, step: 'sending', proof }),
    cancelled: cancel,
    abandoned: cancel,
  },
  sending: { ...ALWAYS, answered: (state, { answer }) => receive(state, answer), abandoned: cancel },
  answered: { ...AT_REST, edited: withoutProblem },
  refused: {
    ...AT_REST,
    edited: (state) => (state.failure.reaction === 'fix-input' ? REST : withoutProblem(state)),
  },
  cancelled: { ...AT_REST, edited: () => REST },
};

export const nextRequestState = <Answer extends Kinds>(
  state: RequestState<Answer>,
  event: RequestEvent<Answer>,
): RequestState<Answer> => {
  const transit = TRANSITIONS[state.step][event.type] as
    | ((state: RequestState<Answer>, event: RequestEvent<Answer>) => RequestState<Answer>)
    | undefined;
  return transit?.(state, event) ?? state;
};

export const isBusy = <State extends RequestState<unknown>>(
  state: State,
): state is Extract<State, { readonly step: 'proving' | 'sending' }> =>
  state.step === 'proving' || state.step === 'sending';

/** What is to be said at the field. */
export const problemOf = (state: RequestState<unknown>): Failure | undefined => {
  if ('problem' in state && state.problem) return state.problem;
  return state.step === 'refused' && state.failure.reaction === 'fix-input' ? state.failure : undefined;
};

export type ProvedRequest<Answer> = {
  readonly state: RequestState<Answer>;
  readonly dispatch: (event: RequestEvent<Answer>) => void;
  readonly answer?: Answer | undefined;
  readonly failure?: Failure | undefined;
};

export const useProvedRequest = <Answer extends Kinds>(
  first: RequestState<Answer> = REST,
): ProvedRequest<Answer> => {
  const [state, dispatch] = useReducer(nextRequestState<Answer>, first);
  return {
    state,
    dispatch,
    answer: state.step === 'answered' ? state.answer : undefined,
    failure: state.step === 'refused' ? state.failure : undefined,
  };
};

export type ProvedInput = { readonly input: string; readonly proof: string };

export type Send<Answer> = (proved: ProvedInput, network: Network) => Promise<Answer | Failure>;

/** Apart, because a lookup loads what sends it on first use. */
export const useSendRequest = <Answer>(
  { state, dispatch }: ProvedRequest<Answer>,
  send: Send<Answer>,
): void => {
  const { browser } = useEnvironment();
  const errors = useErrorTexts();
  const start = useEffectEvent((proved: ProvedInput, signal: AbortSignal) =>
    send(proved, { ...browser, signal, errors }),
  );

  // Not after the next paint, which would only put it off.
  useLayoutEffect(() => {
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
