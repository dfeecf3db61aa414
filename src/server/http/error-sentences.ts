import { ERROR_CODES, type ErrorCode } from '#shared/contract/errors.ts';
import { fill } from '#shared/fill.ts';
import { ERROR_SENTENCES, POOL_EMPTY_FOR_GOOD } from '#shared/sentences.ts';

export type ErrorSentences = Readonly<Record<ErrorCode, string>>;

export type SentenceSettings = { readonly platformName: string; readonly tokenDonations: boolean };

/** As this site's answers say them. */
export const errorSentences = ({ platformName, tokenDonations }: SentenceSettings): ErrorSentences => {
  const sentences = {
    ...ERROR_SENTENCES,
    ...(!tokenDonations && { 'pool-empty': POOL_EMPTY_FOR_GOOD }),
  };
  return Object.fromEntries(
    ERROR_CODES.map((code) => [code, fill(sentences[code], { platformName })]),
  ) as ErrorSentences;
};
