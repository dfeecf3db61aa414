import { useEffect, useEffectEvent } from 'react';
import type { RequestState } from '../../proved-request.ts';
import { containsBotToken } from './id-field.tsx';
import type { LookupAnswer } from './look-up.ts';

/** The id whose profile is on the screen. */
export const foundIdOf = (lookup: RequestState<LookupAnswer>): string | undefined =>
  lookup.step === 'answered' && lookup.answer.kind === 'found' ? lookup.answer.id : undefined;

const replaceAddress = (address: string): void => history.replaceState(history.state, '', address);

/** Keeps the address `/?id=…` and the page in step; `onOpen` gets the id of an address that somebody shared. */
export const useSharedId = (foundId: string | undefined, onOpen: (text: string) => void): void => {
  const opened = useEffectEvent(onOpen);

  useEffect(() => {
    const text = new URLSearchParams(location.search).get('id');
    if (text === null) return;
    opened(text);
    // A secret must not stay in the address, where it would be copied and kept in the history.
    if (containsBotToken(text)) replaceAddress('/');
  }, []);

  useEffect(() => {
    if (foundId !== undefined) replaceAddress(`/?id=${foundId}`);
  }, [foundId]);
};
