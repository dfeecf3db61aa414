import { useRef, useState } from 'react';
import { useEnvironment } from '../environment.ts';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import { readIdInput, useIdField, useSharedId } from '../features/lookup/id-field.ts';
import type { IdNote } from '../features/lookup/id-note.ts';
import type { LookupAnswer } from '../features/lookup/look-up.ts';
import { AGAIN, CANCELLED, SHARED } from '../texts/lookup/page.ts';
import { importAgain } from '../import-again.ts';
import { inputFailureOf, useProvedRequest, type RequestState } from '../proved-request.ts';
import { useLazyPart } from './lazy-part.tsx';

const importLookupFlow = async () => (await importAgain(() => import('./lookup-flow.tsx'))).lookupFlow;

const isBusy = ({ step }: RequestState<LookupAnswer>): boolean => step === 'solving' || step === 'sending';

/** The second half of a double press, which the answer to the first may have overtaken. */
const DOUBLE_PRESS_MS = 700;

/** A lookup as the form sees it; its other parts come with the flow, which loads on first use. */
export const useLookup = (focusButton: () => void) => {
  const { platformName } = useEnvironment().site;
  const field = useIdField();
  const request = useProvedRequest<LookupAnswer>();
  const flow = useLazyPart(importLookupFlow);
  const [starting, setStarting] = useState(false);
  const [refused, setRefused] = useState<{ readonly message: string }>();
  const [invitation, setInvitation] = useState({ id: '', text: '' });
  const { state, dispatch } = request;
  const lastPress = useRef({ text: '', atMs: -Infinity });
  const cancelled = 'cancelled' in state && state.cancelled;

  const prepare = (): void => {
    preloadAltcha();
    void flow.load();
  };

  const press = async (typed: string, atMs = performance.now()): Promise<void> => {
    const { text, tokenSeen } = readIdInput(typed);
    const last = lastPress.current;
    const again = text === last.text && atMs - last.atMs < DOUBLE_PRESS_MS && !cancelled;
    if (tokenSeen || again) return;
    setStarting(true);
    const part = await flow.load();
    setStarting(false);
    if (part === undefined) return;
    lastPress.current = { text, atMs };
    const submission = part.submitId(text, platformName);
    if (submission.type === 'refused') setRefused(submission);
    else dispatch(submission);
  };

  const type = (typed: string): void => {
    if (typed !== '') prepare();
    field.type(typed);
    setRefused(undefined);
    dispatch({ type: 'edited' });
  };

  useSharedId((shared, arrival) => {
    field.open(shared);
    prepare();
    const { text } = readIdInput(shared);
    if (!/^\d+$/.test(text)) return;
    if (arrival === 'press') return void press(text);
    setInvitation({ id: text, text: arrival === 'link' ? SHARED : AGAIN });
    focusButton();
  });

  const note = (): IdNote | undefined => {
    if (cancelled) return { text: CANCELLED, wrong: false };
    if (state.step === 'idle' && field.text !== '' && field.text === invitation.id)
      return { text: invitation.text, wrong: false };
    return flow.loaded?.noteOnId(field.text, platformName);
  };

  return {
    request,
    flow,
    field,
    busy: starting || isBusy(state),
    problem: refused ?? inputFailureOf(state),
    note: note(),
    prepare,
    press,
    type,
    /** The visitor went back or forward to an id; what was found there may be forgotten. */
    revisit: (id: string): void => {
      type(id);
      setInvitation({ id, text: AGAIN });
    },
  };
};
