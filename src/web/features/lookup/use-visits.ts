import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { useEnvironment } from '../../environment.ts';
import type { ProvedRequest } from '../../proved-request.ts';
import type { LookupAnswer } from './look-up.ts';
import { createVisits } from './visits.ts';

type VisitsParts = {
  /** What the title calls a profile. */
  readonly nameOf: (profile: Profile) => string;
  readonly onRevisit: (id: string) => void;
};

/** Keeps the address and the title in step with what is shown, and goes back and forward through it. */
export const useVisits = (
  { state, dispatch }: ProvedRequest<LookupAnswer>,
  { nameOf, onRevisit }: VisitsParts,
): void => {
  const { brandName } = useEnvironment().site;
  const [homeTitle] = useState(() => document.title);
  const [visits] = useState(() =>
    createVisits({ history, location, origin: String(performance.timeOrigin) }),
  );
  const at = useRef(visits.here().id);

  useLayoutEffect(() => {
    if (state.step === 'solving' || state.step === 'sending') return;
    if (state.step === 'idle') {
      document.title = at.current === undefined ? homeTitle : `${at.current} · ${brandName}`;
      return;
    }
    const { answer, input } = state;
    const id = answer.kind === 'failed' ? input : answer.id;
    visits.note(id, answer.kind === 'failed' ? undefined : answer);
    at.current = id;
    document.title = `${answer.kind === 'found' ? nameOf(answer.profile) : id} · ${brandName}`;
  }, [state, visits, homeTitle, brandName, nameOf]);

  const revisit = useEffectEvent(() => {
    const { id, lookedUp, answer } = visits.here();
    // A link within the page also makes a place in the history.
    if (!lookedUp && id === at.current) return;
    at.current = id;
    onRevisit(id ?? '');
    dispatch({ type: 'revisited', answer });
  });
  useEffect(() => {
    const onPopState = (): void => revisit();
    addEventListener('popstate', onPopState);
    return () => removeEventListener('popstate', onPopState);
  }, []);
};
