import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useEnvironment, useTexts } from '../environment.ts';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import { readIdInput, useIdField } from '../features/lookup/id-field.ts';
import type { IdNote } from '../features/lookup/id-note.ts';
import type { LookupAnswer } from '../features/lookup/look-up.ts';
import { useSeen, useSharedId } from '../features/lookup/shared-id.ts';
import { useVisits } from '../features/lookup/visits.ts';
import {
  isBusy,
  problemOf,
  useProvedRequest,
  type ProvedRequest,
  type RequestState,
} from '../proved-request.ts';
import { useWait } from '../use-wait.ts';
import { useLazyPart, type LazyPart } from './lazy-part.tsx';
import type { lookupFlow } from './lookup-flow.tsx';

export type LookupFlow = typeof lookupFlow;

const importFlow = async (): Promise<LookupFlow> => (await import('./lookup-flow.tsx')).lookupFlow;

/** Ignore a second press within this time: the answer to the first may have come in between. */
const DOUBLE_PRESS_MS = 700;
const PAUSE_MS = 1_000;

const useDoublePress = () => {
  const last = useRef({ text: '', atMs: -Infinity });
  return {
    isRepeated: (text: string, atMs: number): boolean =>
      text === last.current.text && atMs - last.current.atMs < DOUBLE_PRESS_MS,
    remember: (text: string, atMs: number): void => {
      last.current = { text, atMs };
    },
  };
};

type Starting = {
  readonly request: ProvedRequest<LookupAnswer>;
  readonly flow: LazyPart<LookupFlow>;
  /** In the field. */
  readonly text: string;
};

/** Begins what was asked for, once its code is there, and what a link asks for once the page is visible. */
const useStart = ({ request, flow, text }: Starting): void => {
  const { browser, texts: store } = useEnvironment();
  const seen = useSeen();
  const { state, dispatch } = request;
  const begin = useEffectEvent(async (input: string, byLink: boolean): Promise<void> => {
    // A visitor who has entered something else is not interrupted.
    const isWanted = !byLink || (text === input && browser.isOnline() && !browser.savesData());
    const part = isWanted ? (flow.loaded ?? (await flow.load())) : undefined;
    // Without a press nothing is invalid: the note says what is wrong with the ID.
    if (part === undefined || (byLink && !part.plausibleId(input)))
      dispatch({ type: 'dropped', invited: byLink && browser.savesData() });
    // Once it has been loaded, this comes by again.
    else if (flow.loaded) dispatch(part.submitId(input, store));
  });
  const due = state.step === 'starting' && (seen || !state.linked) ? state : undefined;
  useLayoutEffect(() => {
    if (due) void begin(due.input, due.linked);
  }, [due, flow.loaded]);
};

/** Its Cancel button took the focus along, and a link that was opened had none. */
const useFocusWhenLeft = (state: RequestState<LookupAnswer>, focusButton: () => void): void => {
  const isLeft = state.step === 'cancelled' || (state.step === 'rest' && state.invited === true);
  const focus = useEffectEvent(focusButton);
  useEffect(() => {
    if (isLeft && document.activeElement === document.body) focus();
  }, [isLeft]);
};

/** Whether the text has been left alone: nobody who is still typing is told what is wrong with it. */
const usePause = (text: string) => {
  const { after } = useEnvironment().browser;
  const [last, setLast] = useState('');
  useEffect(() => after(PAUSE_MS, () => setLast(text)), [text, after]);
  return { paused: last === text, leave: (): void => setLast(text) };
};

const useNote = (
  state: RequestState<LookupAnswer>,
  part: LookupFlow | undefined,
  text: string | undefined,
): IdNote | undefined => {
  const { texts } = useEnvironment();
  const { cancelled, invitation } = useTexts('lookup');
  if (state.step === 'cancelled') return { text: cancelled, wrong: false };
  if (state.step === 'rest' && state.invited) return { text: invitation, wrong: false };
  return text === undefined ? undefined : part?.noteOnId(text, texts);
};

const isWaiting = (state: RequestState<LookupAnswer>): state is Extract<typeof state, { step: 'starting' }> =>
  state.step === 'starting' && state.linked;

export const useLookup = (flowOfPage: LookupFlow | undefined, focusButton: () => void) => {
  const { site, browser, texts: store, linkedId = '' } = useEnvironment();
  const { offline } = useTexts('ui');
  const field = useIdField(linkedId);
  const request = useProvedRequest<LookupAnswer>(
    site.linked && { step: 'starting', input: linkedId, linked: true },
  );
  const { state, dispatch, answer } = request;
  const flow = useLazyPart(importFlow, site.linked && flowOfPage);
  const { isRepeated, remember } = useDoublePress();
  const wait = useWait(request.failure);

  const prepare = (): void => {
    preloadAltcha();
    void flow.load();
  };

  useStart({ request, flow, text: field.text });
  useFocusWhenLeft(state, focusButton);

  const press = (typed: string, atMs = performance.now()): void => {
    const { text, tokenSeen } = readIdInput(typed);
    if (tokenSeen || wait.left > 0 || (state.step !== 'cancelled' && isRepeated(text, atMs))) return;
    if (!browser.isOnline()) return dispatch({ type: 'invalid', cause: 'offline', message: offline });
    remember(text, atMs);
    scrollTo({ top: 0, behavior: 'instant' });
    dispatch(flow.loaded?.submitId(text, store) ?? { type: 'asked', input: text, linked: false });
  };

  const type = (typed: string): void => {
    if (typed !== '') prepare();
    field.type(typed);
    dispatch({ type: 'edited' });
  };

  useSharedId((shared) => {
    field.open(shared);
    dispatch({ type: 'asked', input: readIdInput(shared).text, linked: true });
  });

  useVisits(request, {
    part: flow.loaded,
    onRevisit: (id, known) => {
      type(id);
      // What is pressed at another place is no second press.
      remember('', -Infinity);
      dispatch({ type: 'revisited', input: id, answer: known });
    },
  });

  /** The page came with the place of the answer to its address, which is not being looked up yet. */
  const expected = isWaiting(state) && site.linked === true && state.input === linkedId;
  // It would lie over the answer.
  const isQuiet = expected || field.text === answer?.id;
  const { paused, leave } = usePause(field.text);
  const note = useNote(state, flow.loaded, paused ? field.text : undefined);

  return {
    request,
    flow,
    field,
    busy: isBusy(state) || (state.step === 'starting' && !isWaiting(state)),
    wait,
    problem: problemOf(state),
    note: isQuiet ? undefined : note,
    prepare,
    leave,
    press,
    type,
    expected,
    tryAgain: (input: string): void => {
      scrollTo({ top: 0, behavior: 'instant' });
      dispatch({ type: 'submitted', input });
    },
  };
};
