import { useEffect, useLayoutEffect, useState } from 'react';
import type { Browser } from '../../environment.ts';
import { askChallenge } from './ask-challenge.ts';
import { createProofAhead, type ProofAhead } from './proof-ahead.ts';
import { startSearch } from './challenge-search.ts';

/** Works at a proof as soon as there is an id to look up, so that a press need not wait for it. */
export const useProofAhead = (id: string | undefined, { fetch, savesData }: Browser): ProofAhead => {
  const [ahead] = useState(() =>
    createProofAhead({ ask: () => askChallenge({ fetch, startSearch }), nowMs: () => Date.now() }),
  );
  // Before a captcha that is there at the same time can ask: it would ask for another challenge.
  useLayoutEffect(() => {
    if (id !== undefined && !savesData()) ahead.start();
  }, [id, ahead, savesData]);
  useEffect(() => ahead.drop, [ahead]);
  return ahead;
};
