import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useEnvironment, useTexts } from '../environment.ts';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import { readIdInput, useIdField } from '../features/lookup/id-field.ts';
import type { IdNote } from '../features/lookup/id-note.ts';
import type { LookupAnswer } from '../features/lookup/look-up.ts';
import { useEarlyRevisits, useSeen, useSharedId } from '../features/lookup/shared-id.ts';
import { inputFailureOf, isBusy, useProvedRequest, useWait } from '../proved-request.ts';
import { useLazyPart } from './lazy-part.tsx';
import type { lookupFlow } from './lookup-flow.tsx';

type LookupFlow = typeof lookupFlow;

let flowAtHand: LookupFlow | undefined;

export const loadLookupFlow = async (): Promise<LookupFlow> => {
  flowAtHand = (await import('./lookup-flow.tsx')).lookupFlow;
  return flowAtHand;
};

/** The second half of a double press, which the answer to the first may have overtaken. */
const DOUBLE_PRESS_MS = 700;

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

/** Its Cancel button took the focus along, and a link that was opened had none. */
const useFocusAfterCancel = (cancelled: boolean, focusButton: () => void): void => {
  const focus = useEffectEvent(focusButton);
  useEffect(() => {
    if (cancelled && document.activeElement === document.body) focus();
  }, [cancelled]);
};

const renderSoon = (change: () => void): void => change();

/** After a press at once: the captcha must not wait for a frame that is being painted. */
const renderAtTop = (change: () => void): void => {
  flushSync(change);
  scrollTo({ top: 0, behavior: 'instant' });
};

const useLink = (onDue: (id: string) => void) => {
  const { linked } = useEnvironment().site;
  /** What the address asks for. Due until the page is visible. */
  const [link, setLink] = useState({ id: linked?.id ?? '', due: linked !== undefined });
  const seen = useSeen();
  const answer = useEffectEvent(() => {
    setLink({ ...link, due: false });
    onDue(link.id);
  });
  useEffect(() => {
    if (seen && link.due) answer();
  }, [seen, link.due]);
  /** The page came with the place of the answer to its address, which is not being looked up yet. */
  const expected = link.due && link.id === linked?.id;
  return { link, setLink, expected };
};

export const useLookup = (focusButton: () => void) => {
  const { site, browser, texts: store } = useEnvironment();
  const texts = useTexts('lookup');
  const field = useIdField(site.linked?.id);
  const request = useProvedRequest<LookupAnswer>();
  const { state, dispatch } = request;
  const flow = useLazyPart(loadLookupFlow, site.linked && flowAtHand);
  const [starting, setStarting] = useState(false);
  const [unasked, setUnasked] = useState(false);
  const [refused, setRefused] = useState<{ readonly message: string }>();
  const [share, setShare] = useState(0);
  const { isRepeated, remember } = useDoublePress();
  /** Counts how often the visitor went back or forward: a press from before that no longer starts anything. */
  const travels = useRef(0);
  const wait = useWait(request.failure);
  const cancelled = 'cancelled' in state;
  useFocusAfterCancel(cancelled, focusButton);

  const prepare = (): void => {
    preloadAltcha();
    void flow.load();
  };

  const submit = (input: string, byLink = false): void => {
    const proof = flow.loaded?.claimSentProof(input);
    const render = byLink ? renderSoon : renderAtTop;
    render(() => {
      setRefused(undefined);
      setUnasked(byLink);
      setShare(0);
      dispatch({ type: 'submitted', input });
      if (byLink && proof !== undefined) dispatch({ type: 'solved', proof });
    });
  };

  const start = async (text: string, atMs: number, byLink: boolean): Promise<void> => {
    const { current: travel } = travels;
    setStarting(flow.loaded === undefined);
    const part = flow.loaded ?? (await flow.load());
    setStarting(false);
    // Without a press nothing is refused: the note says what is wrong with the id.
    if (part === undefined || (byLink && !part.plausibleId(text))) return;
    remember(text, atMs);
    if (travel !== travels.current) return;
    const submission = part.submitId(text, store);
    if (submission.type === 'refused') setRefused(submission);
    else submit(submission.input, byLink);
  };

  const press = async (typed: string, atMs = performance.now(), byLink = false): Promise<void> => {
    const { text, tokenSeen } = readIdInput(typed);
    if (tokenSeen || wait.left > 0 || (!cancelled && isRepeated(text, atMs))) return;
    const online = browser.isOnline();
    setRefused(online || byLink ? undefined : { message: texts.lookupOffline });
    if (online) await start(text, atMs, byLink);
  };

  const type = (typed: string): void => {
    if (typed !== '') prepare();
    field.type(typed);
    setRefused(undefined);
    dispatch({ type: 'edited' });
  };

  const { link, setLink, expected } = useLink((id) => {
    if (browser.savesData()) focusButton();
    // A visitor who has entered something else is not interrupted.
    else if (field.text === id) void press(id, undefined, true);
  });

  useSharedId((shared) => {
    field.open(shared);
    void flow.load();
    setLink({ id: readIdInput(shared).text, due: true });
  });

  const revisit = (id: string, forgotten: boolean): void => {
    travels.current += 1;
    type(id);
    setLink({ id, due: forgotten && id !== '' });
  };
  useEarlyRevisits((id) => revisit(id, true), flow.loaded !== undefined);

  const note = (): IdNote | undefined => {
    // It would lie over the answer.
    if (expected || field.text === request.answer?.id) return undefined;
    if (cancelled) return { text: texts.cancelled, wrong: false };
    if (state.step === 'idle' && link.id !== '' && field.text === link.id && browser.savesData())
      return { text: texts.invitation, wrong: false };
    return flow.loaded?.noteOnId(field.text, store);
  };

  return {
    request,
    unasked,
    flow,
    field,
    busy: starting || isBusy(state),
    wait,
    problem: refused ?? inputFailureOf(state),
    note: note(),
    prepare,
    press,
    submit,
    type,
    onRevisit: revisit,
    expected,
    share,
    onProgress: setShare,
  };
};
