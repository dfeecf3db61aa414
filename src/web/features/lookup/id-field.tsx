import { useState, type ReactNode } from 'react';
import { idProblem } from '#shared/sentences.ts';
import { extractSnowflakeDigits, parseSnowflake } from '#shared/snowflake.ts';
import type { Submission } from '../../proved-request.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

const DOTTED = /([\w-]{16,})\.[\w-]{4,}\.[\w-]{20,}/g;
const DIGITS = /^\d{15,20}$/;

const decodesToId = (part: string): boolean => {
  try {
    return DIGITS.test(atob(part));
  } catch {
    return false;
  }
};

/** Whether a token stands anywhere in the text: three dotted parts, the first of which is an account's id in base64. */
export const containsBotToken = (text: string): boolean =>
  [...text.matchAll(DOTTED)].some(([, first = '']) => decodesToId(first));

/** Copied numbers bring blanks and characters without a width along. */
const DIGITS_AND_GAPS = /^[\d\s\p{Cf}]*$/u;

type IdInput = {
  readonly text: string;
  /** A bot token was put into the field: a secret that must go nowhere, so nothing of it is kept. */
  readonly tokenSeen: boolean;
};

/** What the field shows for what was typed or pasted: of a number, a mention or a profile link only the digits. */
export const readIdInput = (typed: string): IdInput => {
  if (containsBotToken(typed)) return { text: '', tokenSeen: true };
  const text = DIGITS_AND_GAPS.test(typed) ? typed.replaceAll(/\D/g, '') : typed;
  const digits = extractSnowflakeDigits(text);
  return { text: digits === text.trim() ? text : digits, tokenSeen: false };
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

/** An id that the visitor's clock takes for one of the future is asked for: the clock may be wrong. */
export const submitId = (text: string, platformName: string): Submission => {
  const parsed = parseSnowflake(text, Infinity);
  if (parsed.ok) return { type: 'submitted', input: parsed.id };
  const { problem } = parsed;
  return { type: 'refused', cause: `id-${problem}`, message: idProblem(problem, platformName) };
};

export type DonationOffer = {
  /** Absent where no tokens are taken. */
  readonly onDonate: (() => void) | undefined;
};

export const TokenNotice = ({ onDonate }: DonationOffer): ReactNode => (
  <Notice tone="warning">
    <p>
      That was a bot token, not an ID. It was removed from the field and has not been sent anywhere. Anyone
      who has it controls the bot, so paste it nowhere else.
    </p>
    {onDonate && <Button onClick={onDonate}>Donate a bot token</Button>}
  </Notice>
);
