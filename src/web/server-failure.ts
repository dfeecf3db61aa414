import type { ErrorBody } from '#shared/contract/errors.ts';
import type { Reaction } from '#shared/contract/errors.ts';
import { reactionTo } from './error-reactions.ts';

/** What a page knows of a request that the server refused. */
export type ServerFailure = {
  readonly message: string;
  readonly reaction: Reaction;
  readonly retryAfterSeconds?: number;
};

/** The JSON of a response; undefined when it has none or it is broken. */
export const readJson = async (response: Response): Promise<unknown> => {
  if (!response.headers.get('content-type')?.includes('application/json')) return undefined;
  return response.json().catch(() => undefined);
};

/** Takes any body: what answers may be a proxy in front of the server. */
export const toServerFailure = (body: unknown, fallbackMessage: string): ServerFailure => {
  const { error, code, retry_after: retryAfterSeconds } = (body ?? {}) as Partial<ErrorBody>;
  return {
    message: typeof error === 'string' && error !== '' ? error : fallbackMessage,
    reaction: reactionTo(code),
    ...(typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0 && { retryAfterSeconds }),
  };
};
