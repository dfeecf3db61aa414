import { useEffect, useReducer, type ActionDispatch } from 'react';
import { lookUp } from './look-up.ts';
import { idleLookup, nextLookupState, type LookupEvent, type LookupState } from './lookup-state.ts';

type LookupDeps = { readonly platformName: string; readonly fetch: typeof globalThis.fetch };

const isOnline = (): boolean => navigator.onLine;

/** The state of the page's one lookup. Asks the server as soon as there is a proof. */
export const useLookup = ({
  platformName,
  fetch,
}: LookupDeps): [LookupState, ActionDispatch<[LookupEvent]>] => {
  const [state, dispatch] = useReducer(nextLookupState, idleLookup);

  useEffect(() => {
    if (state.step !== 'asking') return undefined;
    const leaving = new AbortController();
    const { id, proof } = state;
    const ask = async (): Promise<void> => {
      const answer = await lookUp({ id, proof, platformName }, { fetch, isOnline, signal: leaving.signal });
      if (!leaving.signal.aborted) dispatch({ type: 'answered', answer });
    };
    void ask();
    return () => leaving.abort();
  }, [state, platformName, fetch]);

  return [state, dispatch];
};
