import { extractSnowflakeDigits } from '#shared/snowflake.ts';
import { containsBotToken } from './bot-token-shape.ts';

export type IdInput =
  | { readonly kind: 'text'; readonly text: string }
  /** A secret that must go nowhere: what was typed is not kept. */
  | { readonly kind: 'bot-token' };

/** Copied numbers bring blanks and characters without a width along. */
const DIGITS_AND_GAPS = /^[\d\s\p{Cf}]*$/u;

/** What the field shows for what was typed or pasted: of a number, a mention or a profile link only the digits. */
export const readIdInput = (typed: string): IdInput => {
  if (containsBotToken(typed)) return { kind: 'bot-token' };
  const text = DIGITS_AND_GAPS.test(typed) ? typed.replaceAll(/\D/g, '') : typed;
  const digits = extractSnowflakeDigits(text);
  return { kind: 'text', text: digits === text.trim() ? text : digits };
};
