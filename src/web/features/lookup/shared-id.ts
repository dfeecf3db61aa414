import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { extractSnowflakeDigits } from '#shared/snowflake.ts';
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
  const { linked } = useEnvironment().site;
  const opened = useEffectEvent(onOpen);
  useEffect(() => {
    const id = idInAddress();
    if (linked) {
      // Who went back or forward while the page loaded is at another place by now, with the page of the first.
      if (extractSnowflakeDigits(id) !== linked.id) location.reload();
      return;
    }
    if (id === '') return;
    // A secret must not stay in the address, where it would be copied and kept in the history.
    if (containsBotToken(id)) history.replaceState(history.state, '', location.pathname);
    opened(id);
  }, [linked]);
};
