import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { containsBotToken } from './id-field.ts';

const VISIBILITY_EVENTS = ['visibilitychange', 'prerenderingchange'];

const onVisibility = (changed: () => void): (() => void) => {
  for (const event of VISIBILITY_EVENTS) document.addEventListener(event, changed);
  return () => {
    for (const event of VISIBILITY_EVENTS) document.removeEventListener(event, changed);
  };
};

// Not every browser prerenders, and the types of the platform therefore lack it.
const isSeen = (): boolean => !document.hidden && !(document as { prerendering?: boolean }).prerendering;

/** Whether somebody may be looking: not at a page that is prerendered, or behind another. */
export const useSeen = (): boolean => useSyncExternalStore(onVisibility, isSeen, () => false);

const idInAddress = (): string | undefined => new URLSearchParams(location.search).get('id') ?? undefined;

/** Tells of the id in the address that the page is opened with, `/?id=…`. */
export const useSharedId = (onOpen: (text: string) => void): void => {
  const opened = useEffectEvent(onOpen);
  useEffect(() => {
    const text = idInAddress();
    if (text === undefined) return;
    // A secret must not stay in the address, where it would be copied and kept in the history.
    if (containsBotToken(text)) history.replaceState(history.state, '', '/');
    opened(text);
  }, []);
};

/** Tells where back and forward lead, as long as the flow is not there to do so, see `visits.ts`. */
export const useEarlyRevisits = (onRevisit: (id: string) => void, flowIsThere: boolean): void => {
  const revisited = useEffectEvent(onRevisit);
  useEffect(() => {
    if (flowIsThere) return undefined;
    const onPopState = (): void => revisited(idInAddress() ?? '');
    addEventListener('popstate', onPopState);
    return () => removeEventListener('popstate', onPopState);
  }, [flowIsThere]);
};
