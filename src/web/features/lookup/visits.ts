import { useLayoutEffect, useRef } from 'react';
import { useEnvironment, useWindowEvent } from '../../environment.ts';
import { isBusy, type ProvedRequest } from '../../proved-request.ts';
import type { TextStore } from '../../texts/text-store.ts';
import type { LookupAnswer } from './look-up.ts';

export const idInAddress = (): string => new URLSearchParams(location.search).get('id') ?? '';

type VisitParts = {
  /** The code of a lookup, once it is there. */
  readonly part:
    | {
        readonly nameIn: (answer: LookupAnswer | undefined, texts: TextStore) => string | undefined;
        readonly readAnswer: (kept: unknown, id: string) => LookupAnswer | undefined;
      }
    | undefined;
  readonly onRevisit: (id: string, answer: LookupAnswer | undefined) => void;
};

/** The same ID once more, or one that was shared or has failed, stays where it is. */
const goTo = (id: string, answer: LookupAnswer | undefined): void => {
  if (id === idInAddress()) history.replaceState({ answer }, '');
  else history.pushState({ answer }, '', `${location.pathname}?id=${id}`);
};

/** What the address names is no longer shown, unless it names what was to be looked up. */
const leave = (input: string, answer: LookupAnswer | undefined): void => {
  const id = idInAddress();
  if (id !== '' && (answer || id !== input)) history.pushState(null, '', location.pathname);
};

/** Every answered lookup is a place in the browser's history, which keeps the answer. */
export const useVisits = ({ state, answer }: ProvedRequest<LookupAnswer>, parts: VisitParts): void => {
  const { part, onRevisit } = parts;
  const { site, texts } = useEnvironment();
  const { brandName } = site;
  const name = part?.nameIn(answer, texts);
  const homeTitle = useRef<string>(undefined);
  /** The ID in the address, before the browser goes to another place. */
  const at = useRef('');

  const answerHere = (): LookupAnswer | undefined =>
    part?.readAnswer((history.state as { answer?: unknown } | null)?.answer, idInAddress());

  useLayoutEffect(() => {
    homeTitle.current ??= document.title;
    if (answer) goTo(answer.id, answer);
    if (state.step === 'refused') goTo(state.input, undefined);
    if (state.step === 'cancelled') leave(state.input, answerHere());
    at.current = idInAddress();
    const title = name ?? at.current;
    if (!isBusy(state)) document.title = title === '' ? homeTitle.current : `${title} · ${brandName}`;
  }, [state, answer, name, brandName]);

  useWindowEvent('popstate', () => {
    const id = idInAddress();
    const known = answerHere();
    // A link within the page also makes a place in the history.
    if (known === undefined && id === at.current) return;
    at.current = id;
    onRevisit(id, known);
  });
};
