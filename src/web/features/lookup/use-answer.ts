import { useEffect } from 'react';
import { lookUp } from './look-up.ts';
import type { LookupEvent, LookupState } from './lookup-state.ts';

type AnswerDeps = { readonly platformName: string; readonly fetch: typeof globalThis.fetch };

const isOnline = (): boolean => navigator.onLine;

/** Asks the server as soon as the lookup has its proof. */
export const useAnswer = (
  state: LookupState,
  dispatch: (event: LookupEvent) => void,
  { platformName, fetch }: AnswerDeps,
): void => {
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
  }, [state, dispatch, platformName, fetch]);
};
