import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useState } from 'react';
import type { ErrorCode } from '#shared/contract/errors.ts';
import type { Failure, Network } from './ask-server.ts';
import { useEnvironment, useErrorTexts } from './environment.ts';

type Attempt = {
  readonly input: string;
  readonly retried: boolean;
};

type Idle = {
  readonly step: 'idle';
  readonly cancelled?: true;
};

type Answered<Answer> = {
  readonly step: 'answered';
  /** What can be sent again. Empty if it was refused, and once it was accepted: it may be a secret. */
  readonly input: string;
  readonly answer: Answer | Failure;
  readonly solvedMs?: number | undefined;
};

type Settled<Answer> = Idle | Answered<Answer>;

export type RequestState<Answer> =
  | Settled<Answer>
  | ({ readonly step: 'solving' } & Attempt)
  | ({ readonly step: 'sending'; readonly proof: string } & Attempt);

/** `refused`: the visitor must fix the input first; as it is, it is not worth a captcha. */
export type Submission =
  | { readonly type: 'submitted'; readonly input: string }
  | { readonly type: 'refused'; readonly cause: ErrorCode; readonly message: string };

export type RequestEvent<Answer> =
  | Submission
  | { readonly type: 'edited' }
  | { readonly type: 'solved'; readonly proof: string }
  /** A request that was already sent goes on. */
  | { readonly type: 'cancelled' }
  | { readonly type: 'abandoned' }
  | { readonly type: 'revisited'; readonly answer: Answer | undefined }
  | { readonly type: 'answered'; readonly answer: Answer | Failure };

type Kinds = { readonly kind: string };

const isFailure = (answer: Kinds): answer is Failure => answer.kind === 'failed';

export const isBusy = <State extends RequestState<unknown>>(
  state: State,
): state is Extract<State, { readonly step: 'solving' | 'sending' }> =>
  state.step === 'solving' || state.step === 'sending';

const IDLE: Idle = { step: 'idle' };

const CANCELLED: Idle = { step: 'idle', cancelled: true };

const answeredWith = <Answer>(answer: Answer, solvedMs?: number): Answered<Answer> => ({
  step: 'answered',
  input: '',
  answer,
  solvedMs,
});

const solvedMsOf = (proof: string): number | undefined => {
  try {
    const { took } = JSON.parse(atob(proof)) as { readonly took?: unknown };
    return typeof took === 'number' && took >= 0 ? took : undefined;
  } catch {
    return undefined;
  }
};

const receive = <Answer extends Kinds>(
  { input, retried, proof }: Attempt & { readonly proof: string },
  answer: Answer | Failure,
): RequestState<Answer> => {
  const solvedMs = solvedMsOf(proof);
  if (!isFailure(answer)) return answeredWith(answer, solvedMs);
  if (answer.reaction === 'solve-again' && !retried) return { step: 'solving', input, retried: true };
  return { step: 'answered', input, answer, solvedMs };
};

const outcomeOf = <Answer extends Kinds>(state: RequestState<Answer>): Outcome<Answer> => {
  if (state.step !== 'answered') return {};
  return isFailure(state.answer) ? { failure: state.answer } : { answer: state.answer };
};

export const inputFailureOf = (state: RequestState<Kinds>): Failure | undefined => {
  const { failure } = outcomeOf(state);
  return failure?.reaction === 'fix-input' ? failure : undefined;
};

const startFrom = <Answer extends Kinds>(
  state: Settled<Answer>,
  event: RequestEvent<Answer>,
): RequestState<Answer> => {
  if (event.type === 'submitted') return { step: 'solving', input: event.input, retried: false };
  if (event.type === 'edited') return state.step === 'idle' || inputFailureOf(state) ? IDLE : state;
  if (event.type !== 'refused') return state;
  const { cause, message } = event;
  const answer: Failure = { kind: 'failed', message, reaction: 'fix-input', cause };
  return { step: 'answered', input: '', answer };
};

/** An event that does not fit the state, such as a late answer, changes nothing. */
export const nextRequestState = <Answer extends Kinds>(
  state: RequestState<Answer>,
  event: RequestEvent<Answer>,
): RequestState<Answer> => {
  if (event.type === 'revisited') return event.answer ? answeredWith(event.answer) : IDLE;
  if (!isBusy(state)) return startFrom(state, event);
  if (event.type === 'abandoned') return CANCELLED;
  if (state.step === 'sending') return event.type === 'answered' ? receive(state, event.answer) : state;
  if (event.type === 'solved') return { ...state, step: 'sending', proof: event.proof };
  return event.type === 'cancelled' ? CANCELLED : state;
};

export type ProvedInput = { readonly input: string; readonly proof: string };

export type Send<Answer> = (proved: ProvedInput, network: Network) => Promise<Answer | Failure>;

/** How the last attempt ended, if it did. */
type Outcome<Answer> = { readonly answer?: Answer; readonly failure?: Failure };

export type ProvedRequest<Answer> = Outcome<Answer> & {
  readonly state: RequestState<Answer>;
  readonly dispatch: (event: RequestEvent<Answer>) => void;
};

export const useProvedRequest = <Answer extends Kinds>(): ProvedRequest<Answer> => {
  const [state, dispatch] = useReducer(nextRequestState<Answer>, IDLE);
  return { state, dispatch, ...outcomeOf(state) };
};

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

export type Wait = { readonly seconds: number; readonly left: number };

/** What is left by the clock: the timers of a hidden page are late. A clock that is set back does not stop it. */
export const secondsLeft = (before: number, endMs: number, nowMs: number): number =>
  Math.max(0, Math.min(before - 1, Math.ceil((endMs - nowMs) / 1_000)));

export const useWait = (failure: Pick<Failure, 'retryAfterSeconds'> | undefined): Wait => {
  const { after } = useEnvironment().browser;
  const seconds = failure?.retryAfterSeconds ?? 0;
  const [counted, setCounted] = useState<{ readonly of: typeof failure; readonly left: number }>();
  const left = counted?.of === failure ? (counted?.left ?? 0) : seconds;

  useEffect(() => {
    if (seconds === 0) return undefined;
    const endMs = Date.now() + seconds * 1_000;
    let cancel = (): void => undefined;
    const count = (before: number): void => {
      cancel = after(1_000, () => {
        const now = secondsLeft(before, endMs, Date.now());
        setCounted({ of: failure, left: now });
        if (now > 0) count(now);
      });
    };
    count(seconds);
    return () => cancel();
  }, [failure, seconds, after]);

  return { seconds, left };
};
