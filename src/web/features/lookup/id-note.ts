import { ID_DIGITS, parseAccountId, parseSnowflake, type Snowflake } from '#shared/snowflake.ts';
import type { TextStore } from '../../texts/text-store.ts';
import type { Texts } from '../../texts/translation.ts';
import type { Submission } from '../../proved-request.ts';

export type IdNote = { readonly text: string; readonly wrong: boolean };

/** A spreadsheet keeps fifteen digits of a number. Only one real id in a thousand ends like this. */
const PERHAPS_ROUNDED = /^\d{15}0{2,4}$/;

const NO_ID: readonly (readonly [pattern: RegExp, text: keyof Texts['id']])[] = [
  [/<@&\d/, 'role'],
  [/<#\d/, 'channel'],
  [/<a?:\w+:\d/, 'emoji'],
  [/\/channels\//, 'link'],
  [/\d{17}\d*\D+\d{17}/, 'several'],
  [/^0\d/, 'leadingZero'],
  [/\d(?:[.,]\d+)?e[+-]?\d|\d{15,}[.,]\d|\d[.,]\d{15,}/i, 'changed'],
  [/^(?=.*[\p{L}_])(?!.*\d{15})[^/<>{}:="]+$/u, 'name'],
];

const noIdIn = (text: string, { section }: TextStore): string | undefined => {
  const [, name] = NO_ID.find(([pattern]) => pattern.test(text)) ?? [];
  return name && section('id')[name];
};

const readId = (text: string, nowMs: number, store: TextStore): Submission => {
  const parsed = parseSnowflake(text, nowMs);
  if (parsed.ok) return { type: 'submitted', input: parsed.id };
  const cause = `id-${parsed.problem}` as const;
  const known = cause === 'id-malformed' ? noIdIn(text, store) : undefined;
  return { type: 'invalid', cause, message: known ?? store.section('errors')[cause] };
};

export const noteOnId = (text: string, store: TextStore): IdNote | undefined => {
  if (text.trim() === '') return undefined;
  const { tooShort, perhapsRounded } = store.section('id');
  if (/^[1-9]\d*$/.test(text) && text.length < ID_DIGITS.fewest) return { text: tooShort, wrong: false };
  const read = readId(text, Date.now(), store);
  if (read.type === 'invalid') return { text: read.message, wrong: true };
  return PERHAPS_ROUNDED.test(read.input) ? { text: perhapsRounded, wrong: false } : undefined;
};

export const plausibleId = (text: string): Snowflake | undefined => parseAccountId(text, Date.now());

/** An id that seems to be from the future is looked up all the same: the visitor's clock may be wrong. */
export const submitId = (text: string, store: TextStore): Submission => readId(text, Infinity, store);
