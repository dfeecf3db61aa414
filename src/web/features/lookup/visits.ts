import { useLayoutEffect, useRef, useState } from 'react';
import { useEnvironment, useWindowEvent } from '../../environment.ts';
import { isBusy, type ProvedRequest } from '../../proved-request.ts';
import type { LookupAnswer } from './look-up.ts';

type VisitsDeps = {
  readonly history: Pick<History, 'state' | 'pushState' | 'replaceState'>;
  readonly location: Pick<Location, 'pathname' | 'search'>;
  /** Tells the visits of this page from those of the same tab before it was loaded again. */
  readonly origin: string;
};

export type Visit = {
  readonly id: string | undefined;
  /** Whether a lookup led here. The browser itself makes places too, for links within the page. */
  readonly lookedUp: boolean;
  readonly answer: LookupAnswer | undefined;
};

const REMEMBERED = 50;

export const createVisits = ({ history, location, origin }: VisitsDeps) => {
  const answers = new Map<string, LookupAnswer>();
  let made = 0;

  const here = (): Visit => {
    const { visit } = (history.state ?? {}) as { readonly visit?: string };
    return {
      id: new URLSearchParams(location.search).get('id') || undefined,
      lookedUp: visit !== undefined,
      answer: visit === undefined ? undefined : answers.get(visit),
    };
  };

  return {
    here,
    /** Without an answer if the lookup failed: then there is nothing to come back to but the id. */
    note: (id: string, answer: LookupAnswer | undefined): void => {
      if (answer !== undefined && here().answer === answer) return;
      made += 1;
      const visit = `${origin}/${made}`;
      const address = `${location.pathname}?id=${id}`;
      // The same id once more, or one that was shared or has failed, stays where it is.
      const stays = location.pathname + location.search === address;
      history[stays ? 'replaceState' : 'pushState']({ visit }, '', address);
      if (answer === undefined) return;
      answers.set(visit, answer);
      const [oldest] = answers.keys();
      if (answers.size > REMEMBERED && oldest !== undefined) answers.delete(oldest);
    },
    /** What the address names is no longer shown, unless it names what was to be looked up. */
    leave: (input: string): void => {
      const { id, answer } = here();
      const stays = id === undefined || (answer === undefined && id === input);
      if (!stays) history.pushState(null, '', location.pathname);
    },
  };
};

let ofPage: { readonly visits: ReturnType<typeof createVisits>; readonly homeTitle: string } | undefined;

/** The part that asks for them may come and go; the history stays. */
const visitsOfPage = () =>
  (ofPage ??= {
    visits: createVisits({ history, location, origin: String(performance.timeOrigin) }),
    homeTitle: document.title,
  });

type VisitsParts = {
  /** Of the profile that was found. */
  readonly name: string | undefined;
  readonly onRevisit: (id: string, forgotten: boolean) => void;
};

export const useVisits = (
  { state, answer, dispatch }: ProvedRequest<LookupAnswer>,
  { name, onRevisit }: VisitsParts,
): void => {
  const { brandName } = useEnvironment().site;
  const [{ visits, homeTitle }] = useState(visitsOfPage);
  const at = useRef(visits.here().id);
  const asked = useRef('');

  useLayoutEffect(() => {
    if (isBusy(state)) asked.current = state.input;
    if ('cancelled' in state) {
      visits.leave(asked.current);
      at.current = visits.here().id;
    }
    if (state.step === 'idle')
      document.title = at.current === undefined ? homeTitle : `${at.current} · ${brandName}`;
    if (state.step !== 'answered') return;
    const id = answer?.id ?? state.input;
    visits.note(id, answer);
    at.current = id;
    document.title = `${name ?? id} · ${brandName}`;
  }, [state, answer, visits, homeTitle, brandName, name]);

  useWindowEvent('popstate', () => {
    const { id, lookedUp, answer } = visits.here();
    if (!lookedUp && id === at.current) return;
    at.current = id;
    onRevisit(id ?? '', answer === undefined);
    dispatch({ type: 'revisited', answer });
  });
};
