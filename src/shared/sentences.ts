import english from '#texts/en.json' with { type: 'json' };
import type { ErrorCode } from './contract/errors.ts';

const { poolEmptyForGood, ...sentences } = english.errors;

/**
 * What visitors are told about each failure, in English: what happened and what to do, never internals. The API's answers
 * contain these sentences; the pages have them in every language.
 */
export const ERROR_SENTENCES = sentences satisfies Readonly<Record<ErrorCode, string>>;

/** Instead of `pool-empty` if the site accepts no tokens. */
export const POOL_EMPTY_FOR_GOOD = poolEmptyForGood;

export const TOKEN_SAVED = english.donation.saved;
export const TOKEN_WITHDRAWN = english.donation.withdrawal.done;
