import { useCallback, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useEnvironment } from '../../environment.ts';
import type { LookupAnswer } from './look-up.ts';
import { useProvedRequest, type RequestEvent, type RequestState } from '../../proved-request.ts';
import { moveOn } from '../../view-transition.ts';

/** An answer that is there by then is all that the page changes to; a later one is waited for with the skeleton. */
const PATIENCE_MS = 80;

/** A lookup, and what the page shows of it. The captcha does not wait until the page has moved. */
export const useMovingRequest = () => {
  const { after } = useEnvironment().browser;
  const { state, dispatch } = useProvedRequest<LookupAnswer>();
  const [before, setBefore] = useState<RequestState<LookupAnswer>>();

  useEffect(() => {
    if (before === undefined) return undefined;
    const cancelTimer = after(PATIENCE_MS, () => void moveOn(() => setBefore(undefined)));
    return () => {
      cancelTimer();
      // The field and the place of the answer are at the top.
      scrollTo({ top: 0, behavior: 'instant' });
    };
  }, [before, after]);

  // A lookup that is cancelled is over at once: somebody may press again in that moment.
  const dispatchMoving = useCallback(
    (event: RequestEvent<LookupAnswer>) => {
      if (event.type !== 'answered') return dispatch(event);
      return void moveOn(() => {
        setBefore(undefined);
        dispatch(event);
      });
    },
    [dispatch],
  );

  return {
    request: { state, dispatch: dispatchMoving },
    /** The state, or the one before the lookup while the page has not moved on from it. */
    shown: before ?? state,
    /** `moves`: the page has no room for the answer yet. */
    submit: (input: string, moves = true): void =>
      flushSync(() => {
        if (moves) setBefore(state);
        dispatch({ type: 'submitted', input });
      }),
  };
};
