import english from '#texts/en.json' with { type: 'json' };
import type { ErrorCode } from './contract/errors.ts';

const { poolEmptyForGood, ...sentences } = english.errors;

/** For the API, in English; the pages have them in every language. */
export const ERROR_SENTENCES = sentences satisfies Readonly<Record<ErrorCode, string>>;

export const POOL_EMPTY_FOR_GOOD = poolEmptyForGood;

export const TOKEN_SAVED = english.donation.saved;
export const TOKEN_WITHDRAWN = english.donation.withdrawal.done;
