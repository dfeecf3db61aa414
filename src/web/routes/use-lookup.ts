import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useEnvironment, useTexts, type Environment } from '../environment.ts';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import { readIdInput, useIdField } from '../features/lookup/id-field.ts';
import type { IdNote, IdTexts } from '../features/lookup/id-note.ts';
import type { LookupAnswer } from '../features/lookup/look-up.ts';
import { useMovingRequest } from '../features/lookup/moving-request.ts';
import { useEarlyRevisits, useSeen, useSharedId } from '../features/lookup/shared-id.ts';
import { importAgain } from '../import-again.ts';
import type { TextStore } from '../texts/text-store.ts';
import { useWait } from '../ui/use-wait.ts';
import { inputFailureOf, type RequestState, type Submission } from '../proved-request.ts';
import { moveOn } from '../view-transition.ts';
import { useLazyPart } from './lazy-part.tsx';

const importLookupFlow = async () => (await importAgain(() => import('./lookup-flow.tsx'))).lookupFlow;

/** Gets ready for a lookup. What fails is tried again when it is needed. */
export const preloadLookup = ({ texts, browser }: Environment): void => {
  preloadAltcha();
  for (const loading of [importLookupFlow(), texts.loadRest()]) loading.catch(() => undefined);
  // A browser takes 20 to 40 ms for its first format, whichever it is. Nobody waits for it now.
  browser.after(0, () => void new Intl.NumberFormat());
};

/** Also available offline: the service worker keeps it for the offline page. */
const importDecoder = async () =>
  (await importAgain(() => import('../features/lookup/decoded-id.tsx'))).decode;

const isBusy = ({ step }: RequestState<LookupAnswer>): boolean => step === 'solving' || step === 'sending';

/** The second half of a double press, which the answer to the first may have overtaken. */
const DOUBLE_PRESS_MS = 700;

const idTextsOf = ({ section }: TextStore): IdTexts => ({ id: section('id'), errors: section('errors') });

/** A lookup as the form sees it; its other parts come with the flow, which loads on first use. */
export const useLookup = (focusButton: () => void) => {
  const environment = useEnvironment();
  const { site, browser, texts: store } = environment;
  const texts = useTexts('lookup');
  const field = useIdField();
  const { request, shown, submit } = useMovingRequest();
  const { state } = request;
  const flow = useLazyPart(importLookupFlow);
  const decoder = useLazyPart(importDecoder, 'carried');
  const [starting, setStarting] = useState(false);
  const [refused, setRefused] = useState<{ readonly message: string }>();
  /** What the address asks for. Due until the page is visible. */
  const [link, setLink] = useState({ id: '', due: false });
  /** The page came with room for the answer to its address. */
  const [expected, setExpected] = useState(site.linked === true);
  const lastPress = useRef({ text: '', atMs: -Infinity });
  /** Counts how often the visitor went back or forward: a press from before that no longer starts anything. */
  const travels = useRef(0);
  const wait = useWait(
    state.step === 'answered' && state.answer.kind === 'failed' ? state.answer : undefined,
  );
  const cancelled = 'cancelled' in state && state.cancelled;

  const prepare = (): void => {
    if (flow.loaded === undefined) preloadLookup(environment);
    void flow.load();
  };

  const loadDecoder = useEffectEvent(decoder.load);
  useEffect(() => {
    if (flow.failed) void loadDecoder();
  }, [flow.failed]);

  const start = async (submission: Submission): Promise<void> => {
    if (submission.type === 'refused')
      return moveOn(() => {
        setStarting(false);
        setRefused(submission);
      });
    setStarting(false);
    return submit(submission.input, !expected);
  };

  const press = async (typed: string, atMs = performance.now(), unasked = false): Promise<void> => {
    const { text, tokenSeen } = readIdInput(typed);
    const last = lastPress.current;
    const again = text === last.text && atMs - last.atMs < DOUBLE_PRESS_MS && !cancelled;
    if (tokenSeen || again || wait[0]) return;
    setStarting(true);
    const { current: travel } = travels;
    const part = await flow.load();
    // Without a press nothing is refused: the note says what is wrong with the id.
    if (part === undefined || (unasked && !part.plausibleId(text))) return setStarting(false);
    lastPress.current = { text, atMs };
    if (travel !== travels.current) return setStarting(false);
    await start(part.submitId(text, idTextsOf(store)));
  };

  const type = (typed: string): void => {
    if (typed !== '') prepare();
    field.type(typed);
    setRefused(undefined);
    request.dispatch({ type: 'edited' });
  };

  useSharedId((shared) => {
    field.open(shared);
    prepare();
    setLink({ id: readIdInput(shared).text, due: true });
  });

  const seen = useSeen();
  const answerLink = useEffectEvent(async () => {
    setLink({ ...link, due: false });
    if (browser.savesData()) focusButton();
    // A visitor who has entered something else is not interrupted.
    else if (field.text === link.id) await press(link.id, undefined, true);
    setExpected(false);
  });
  useEffect(() => {
    if (seen && link.due) void answerLink();
  }, [seen, link.due]);

  /** The visitor went back or forward to an id. */
  const revisit = (id: string, forgotten: boolean): void => {
    travels.current += 1;
    type(id);
    setLink({ id, due: forgotten && id !== '' });
  };
  useEarlyRevisits((id) => revisit(id, true), flow.loaded !== undefined);

  const note = (): IdNote | undefined => {
    if (cancelled) return { text: texts.cancelled, wrong: false };
    if (state.step === 'idle' && link.id !== '' && field.text === link.id && browser.savesData())
      return { text: texts.invitation, wrong: false };
    return flow.loaded?.noteOnId(field.text, idTextsOf(store));
  };

  return {
    request,
    shown,
    flow,
    field,
    busy: starting || isBusy(state),
    wait,
    problem: refused ?? inputFailureOf(state),
    note: note(),
    decode: flow.loaded?.decode ?? decoder.loaded,
    prepare,
    press,
    submit,
    type,
    revisit,
    expected,
  };
};
