import { useEffect, useEffectEvent, useState } from 'react';

const DOTTED = /([\w-]{16,})\.[\w-]{4,}\.[\w-]{20,}/g;
const DIGITS = /^\d{15,20}$/;

const decodesToId = (part: string): boolean => {
  try {
    return DIGITS.test(atob(part));
  } catch {
    return false;
  }
};

/** Whether the text contains a token: three dotted parts, the first of them an account's id in base64. */
export const containsBotToken = (text: string): boolean =>
  [...text.matchAll(DOTTED)].some(([, first = '']) => decodesToId(first));

/** Copied numbers bring blanks and characters without a width along. */
const DIGITS_AND_GAPS = /^[\d\s\p{Cf}]*$/u;
/** What names something else than a user: a role, a channel, an emoji, a time, or a link to a server. */
const NOT_A_USER = /<(?:@&|#|a?:\w+:|t:)|\/channels\//;
const ID_ALONE = /(?<!\d)\d{17,20}(?!\d)/g;

/** The one id that a pasted text holds, whatever stands around it. */
const onlyIdIn = (text: string): string | undefined => {
  if (NOT_A_USER.test(text)) return undefined;
  const [id, ...others] = new Set(text.match(ID_ALONE));
  return others.length === 0 ? id : undefined;
};

type IdInput = {
  readonly text: string;
  /** A bot token was put into the field: a secret that must go nowhere, so it is not kept. */
  readonly tokenSeen: boolean;
};

/** What the field shows for what was typed or pasted: the id alone, if there is one in it. */
export const readIdInput = (typed: string): IdInput => {
  if (containsBotToken(typed)) return { text: '', tokenSeen: true };
  const text = DIGITS_AND_GAPS.test(typed) ? typed.replaceAll(/\D/g, '') : typed;
  return { text: onlyIdIn(text) ?? text, tokenSeen: false };
};

export const useIdField = () => {
  const [input, setInput] = useState(() => readIdInput(''));
  return {
    ...input,
    type: (typed: string): void => setInput(readIdInput(typed)),
    /** Of an address that somebody shared. What the visitor has put in already stays. */
    open: (shared: string): void =>
      setInput((current) => (current.text === '' && !current.tokenSeen ? readIdInput(shared) : current)),
  };
};

/** How the visitor came to an address with an id in it. */
type Arrival =
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
