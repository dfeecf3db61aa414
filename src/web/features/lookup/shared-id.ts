import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { extractSnowflakeDigits } from '#shared/snowflake.ts';
import { useEnvironment, useWindowEvent } from '../../environment.ts';
import { containsBotToken } from './id-field.ts';

const VISIBILITY_EVENTS = ['visibilitychange', 'prerenderingchange'];

const onVisibility = (changed: () => void): (() => void) => {
  for (const event of VISIBILITY_EVENTS) document.addEventListener(event, changed);
  return () => {
    for (const event of VISIBILITY_EVENTS) document.removeEventListener(event, changed);
  };
};

export const useSeen = (): boolean =>
  useSyncExternalStore(onVisibility, useEnvironment().browser.isSeen, () => false);

const idInAddress = (): string | undefined => new URLSearchParams(location.search).get('id') ?? undefined;

export const useSharedId = (onOpen: (text: string) => void): void => {
  const { linked } = useEnvironment().site;
  const opened = useEffectEvent(onOpen);
  useEffect(() => {
    const id = idInAddress();
    if (linked) {
      // Who went back or forward while the page loaded is at another place by now, with the page of the first.
      if (extractSnowflakeDigits(id ?? '') !== linked.id) location.reload();
      return;
    }
    if (id === undefined) return;
    // A secret must not stay in the address, where it would be copied and kept in the history.
    if (containsBotToken(id)) history.replaceState(history.state, '', location.pathname);
    opened(id);
  }, [linked]);
};

export const useEarlyRevisits = (onRevisit: (id: string) => void, flowIsThere: boolean): void => {
  const at = useRef<string>(undefined);
  useEffect(() => {
    at.current = idInAddress();
  }, []);
  const onPopState = (): void => {
    const id = idInAddress();
    // A link within the page also makes a place in the history.
    if (id !== at.current) onRevisit(id ?? '');
    at.current = id;
  };
  useWindowEvent('popstate', onPopState, !flowIsThere);
};
