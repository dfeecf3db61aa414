import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useEnvironment } from '../../environment.ts';
import { containsBotToken } from './id-field.ts';
import { idInAddress } from './visits.ts';

const VISIBILITY_EVENTS = ['visibilitychange', 'prerenderingchange'];

const onVisibility = (changed: () => void): (() => void) => {
  for (const event of VISIBILITY_EVENTS) document.addEventListener(event, changed);
  return () => {
    for (const event of VISIBILITY_EVENTS) document.removeEventListener(event, changed);
  };
};

export const useSeen = (): boolean =>
  useSyncExternalStore(onVisibility, useEnvironment().browser.isSeen, () => false);

export const useSharedId = (onOpen: (text: string) => void): void => {
  const { site, linkedId = '' } = useEnvironment();
  const opened = useEffectEvent(onOpen);
  useEffect(() => {
    const id = idInAddress();
    if (site.linked) {
      // Who went back while the page loaded is at another place by now.
      if (id === '' || id !== linkedId) location.reload();
      return;
    }
    if (id === '') return;
    // A secret must not stay in the address, where it would be copied and kept in the history.
    if (containsBotToken(id)) history.replaceState(history.state, '', location.pathname);
    opened(id);
  }, [site, linkedId]);
};
