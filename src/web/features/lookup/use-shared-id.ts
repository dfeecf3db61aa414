import { useEffect, useEffectEvent } from 'react';
import { containsBotToken } from './id-field.ts';

/** How the visitor came to an address with an id in it. */
export type Arrival =
  /** Over a link: somebody else may have made it, so nothing is asked for without a press. */
  | 'link'
  /** By reloading it, or back from another page. */
  | 'again'
  /** By a press of our own button, whose code had failed to come, see `keep-press.js`. */
  | 'press';

const PRESS_KEY = 'pressed';

const takePress = (): boolean => {
  try {
    const pressed = sessionStorage.getItem(PRESS_KEY) !== null;
    sessionStorage.removeItem(PRESS_KEY);
    return pressed;
  } catch {
    return false;
  }
};

const arrival = (): Arrival => {
  if (takePress()) return 'press';
  const [navigation] = performance.getEntriesByType('navigation');
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'navigate' ? 'link' : 'again';
};

/** Tells of the id in the address that the page was opened with, `/?id=…`. */
export const useSharedId = (onOpen: (text: string, arrival: Arrival) => void): void => {
  const opened = useEffectEvent(onOpen);
  useEffect(() => {
    const text = new URLSearchParams(location.search).get('id');
    if (text === null) return;
    // A secret must not stay in the address, where it would be copied and kept in the history.
    if (containsBotToken(text)) history.replaceState(history.state, '', '/');
    opened(text, arrival());
  }, []);
};
