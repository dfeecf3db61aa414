import { useEffect, useReducer, type ActionDispatch } from 'react';
import { donateToken } from './donate-token.ts';
import {
  emptyDonation,
  nextDonationState,
  type DonationEvent,
  type DonationState,
} from './donation-state.ts';

/** The state of a donation dialog, which lives and is forgotten with it. Asks the server as soon as there is a proof. */
export const useDonation = (
  fetch: typeof globalThis.fetch,
): [DonationState, ActionDispatch<[DonationEvent]>] => {
  const [state, dispatch] = useReducer(nextDonationState, emptyDonation);

  useEffect(() => {
    if (state.step !== 'submitting') return undefined;
    const leaving = new AbortController();
    const { token, proof } = state;
    const submit = async (): Promise<void> => {
      const answer = await donateToken({ token, proof }, { fetch, signal: leaving.signal });
      if (!leaving.signal.aborted) dispatch({ type: 'answered', answer });
    };
    void submit();
    return () => leaving.abort();
  }, [state, fetch]);

  return [state, dispatch];
};
