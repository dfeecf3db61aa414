import type { ErrorCode } from '#shared/contract/errors.ts';
import { idProblem } from '#shared/sentences.ts';
import { ID_DIGITS, parseSnowflake, type Snowflake } from '#shared/snowflake.ts';
import { idNotes as texts } from '../../texts/lookup/id.ts';
import type { Submission } from '../../proved-request.ts';

/** What there is to say about the text in the field while it is typed. */
export type IdNote = { readonly text: string; readonly wrong: boolean };

/** A spreadsheet keeps fifteen digits of a number. One id in a thousand really ends so. */
const PERHAPS_ROUNDED = /^\d{15}0{2,4}$/;

const TOO_SHORT: IdNote = { text: texts.tooShort, wrong: false };

/** What a text is that holds no user's id. The first that fits. */
const NO_ID: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/<@&\d/, texts.role],
  [/<#\d/, texts.channel],
  [/<a?:\w+:\d/, texts.emoji],
  [/\/channels\//, texts.link],
  [/\d{17}\d*\D+\d{17}/, texts.several],
  [/^0\d/, texts.leadingZero],
  [/\d(?:[.,]\d+)?e[+-]?\d|\d{15,}[.,]\d|\d[.,]\d{15,}/i, texts.changed],
  [/^(?=.*[\p{L}_])(?!.*\d{15})[^/<>{}:="]+$/u, texts.name],
];

const noId = (text: string, platformName: string): string =>
  NO_ID.find(([pattern]) => pattern.test(text))?.[1] ?? idProblem('malformed', platformName);

type ReadId =
  | { readonly id: Snowflake }
  | { readonly id: undefined; readonly cause: ErrorCode; readonly message: string };

const readId = (text: string, nowMs: number, platformName: string): ReadId => {
  const parsed = parseSnowflake(text, nowMs);
  if (parsed.ok) return parsed;
  const { problem } = parsed;
  const message = problem === 'malformed' ? noId(text, platformName) : idProblem(problem, platformName);
  return { id: undefined, cause: `id-${problem}`, message };
};

export const noteOnId = (text: string, platformName: string): IdNote | undefined => {
  if (text.trim() === '') return undefined;
  if (/^[1-9]\d*$/.test(text) && text.length < ID_DIGITS.fewest) return TOO_SHORT;
  const read = readId(text, Date.now(), platformName);
  if (read.id === undefined) return { text: read.message, wrong: true };
  return PERHAPS_ROUNDED.test(read.id) ? { text: texts.perhapsRounded, wrong: false } : undefined;
};

/** The id in the field, if it is long enough to be somebody's: what it tells can be shown. */
export const plausibleId = (text: string): Snowflake | undefined => {
  const parsed = parseSnowflake(text, Date.now());
  return parsed.ok && parsed.id.length >= ID_DIGITS.fewest ? parsed.id : undefined;
};

/** An id that the visitor's clock takes for one of the future is asked for: the clock may be wrong. */
export const submitId = (text: string, platformName: string): Submission => {
  const read = readId(text, Infinity, platformName);
  if (read.id !== undefined) return { type: 'submitted', input: read.id };
  const { cause, message } = read;
  return { type: 'refused', cause, message };
};
