import { useState } from 'react';

/** Searches take longer with the square of a text's length. Nobody's id comes after so much else. */
const MOST_LOOKED_AT = 2_000;

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
  [...text.slice(0, MOST_LOOKED_AT).matchAll(DOTTED)].some(([, first = '']) => decodesToId(first));

/** Arabic, Persian and full-width ones. The last four bits of each are its value. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g;
const GROUPED = /^\d{1,3}([\s.,_'’])\d{3}(?:\1\d{3})*$/;
const NOT_A_USER = /<(?:@&|#|a?:\w+:|t:)|\/channels\//;
const ROUNDED = /(?<!\w)\d(?:[.,]\d+)?e[+-]?\d{1,2}(?!\w)/i;
/** Not a part of a word, of a decimal, or of what is left after a percent sign: that would be somebody else's. */
const ID_ALONE = /(?<![a-z\d%.]|\d,)[1-9]\d{16,18}(?![a-z\d]|[.,]\d)/i;

const onlyIdIn = (text: string): string | undefined => {
  if (NOT_A_USER.test(text) || ROUNDED.test(text)) return undefined;
  const [number, ...others] = new Set(text.match(/\d{17,}/g));
  const [id] = ID_ALONE.exec(text) ?? [];
  return others.length === 0 && id === number ? id : undefined;
};

type IdInput = {
  readonly text: string;
  /** A bot token was put into the field: a secret that must go nowhere, so it is not kept. */
  readonly tokenSeen: boolean;
};

export const readIdInput = (given: string): IdInput => {
  const typed = given.slice(0, MOST_LOOKED_AT);
  if (containsBotToken(typed)) return { text: '', tokenSeen: true };
  // Copied numbers bring blanks and characters without a width along.
  const plain = typed
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .trim();
  if (/^\d*$/.test(plain)) return { text: plain, tokenSeen: false };
  const text = GROUPED.test(plain) ? plain.replaceAll(/\D/g, '') : onlyIdIn(plain);
  return { text: text ?? typed, tokenSeen: false };
};

export const useIdField = (initial = '') => {
  const [input, setInput] = useState({ ...readIdInput(initial), inAddress: initial !== '' });
  return {
    ...input,
    type: (typed: string): void => setInput({ ...readIdInput(typed), inAddress: false }),
    /** Of an address that somebody shared. What the visitor has put in already stays. */
    open: (shared: string): void =>
      setInput((current) =>
        current.text === '' && !current.tokenSeen ? { ...readIdInput(shared), inAddress: true } : current,
      ),
  };
};
