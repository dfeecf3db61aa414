import { useEffect, useReducer, type ActionDispatch } from 'react';
import {
  emptySubmission,
  nextSubmissionState,
  type SubmissionAnswer,
  type SubmissionEvent,
  type SubmissionState,
} from './submission-state.ts';

export type SubmissionRequest = { readonly secret: string; readonly proof: string };

export type SubmissionNetwork = { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal };

export type SendSecret = (
  request: SubmissionRequest,
  network: SubmissionNetwork,
) => Promise<SubmissionAnswer>;

export type Submission = {
  readonly state: SubmissionState;
  readonly dispatch: ActionDispatch<[SubmissionEvent]>;
};

/** The state of a form for one secret, which lives and is forgotten with it. Sends as soon as there is a proof. */
export const useSubmission = (send: SendSecret, fetch: typeof globalThis.fetch): Submission => {
  const [state, dispatch] = useReducer(nextSubmissionState, emptySubmission);

  useEffect(() => {
    if (state.step !== 'submitting') return undefined;
    const leaving = new AbortController();
    const { secret, proof } = state;
    const submit = async (): Promise<void> => {
      const answer = await send({ secret, proof }, { fetch, signal: leaving.signal });
      if (!leaving.signal.aborted) dispatch({ type: 'answered', answer });
    };
    void submit();
    return () => leaving.abort();
  }, [state, send, fetch]);

  return { state, dispatch };
};
