import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { containsBotToken } from './bot-token-shape.ts';

type SharedIdDeps = {
  /** The id whose profile is on the screen: the address becomes one that opens it. */
  readonly foundId: string | undefined;
  /** Gets the id of the address whenever somebody goes there: by a link, or back and forward. */
  readonly onOpen: (text: string) => void;
};

/** Keeps the address `/?id=…` and the page in step. */
export const useSharedId = ({ foundId, onOpen }: SharedIdDeps): void => {
  const search = useSearch();
  const [, navigate] = useLocation();
  const known = useRef('');
  const opened = useEffectEvent(onOpen);

  useEffect(() => {
    const text = new URLSearchParams(search).get('id') ?? '';
    if (text === known.current) return;
    known.current = text;
    opened(text);
    // A secret must not stay in the address, where it would be copied and kept in the history.
    if (containsBotToken(text)) navigate('/', { replace: true });
  }, [search, navigate]);

  useEffect(() => {
    if (foundId === undefined) return;
    known.current = foundId;
    navigate(`/?id=${foundId}`, { replace: true });
  }, [foundId, navigate]);
};
