import { useEffect, useEffectEvent } from 'react';
import { containsBotToken } from './bot-token-shape.ts';

type SharedIdDeps = {
  /** The id whose profile is on the screen: the address becomes one that opens it. */
  readonly foundId: string | undefined;
  /** Gets the id of an address that somebody shared. */
  readonly onOpen: (text: string) => void;
};

const replaceAddress = (address: string): void => history.replaceState(history.state, '', address);

/** Keeps the address `/?id=…` and the page in step. */
export const useSharedId = ({ foundId, onOpen }: SharedIdDeps): void => {
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
