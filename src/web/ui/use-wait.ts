import { useCallback, useState } from 'react';

export type Wait = readonly [waiting: boolean, endWait: () => void];

/**
 * Whether a button must wait for the countdown of a failure, and what that countdown says when it is over. Each failure
 * starts a wait of its own.
 */
export const useWait = (failure: { readonly retryAfterSeconds?: number } | undefined): Wait => {
  const [over, setOver] = useState<typeof failure>();
  const endWait = useCallback(() => setOver(failure), [failure]);
  return [(failure?.retryAfterSeconds ?? 0) > 0 && over !== failure, endWait];
};
