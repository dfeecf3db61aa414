import type { ErrorBody, ErrorCode } from '#shared/contract/errors.ts';
import type { NotFound, Profile } from '#shared/contract/profile.ts';
import { idFieldName } from '#shared/site.ts';
import { reactionTo, type Reaction } from './error-reactions.ts';

export type LookupAnswer =
  | { readonly kind: 'found'; readonly profile: Profile }
  | { readonly kind: 'not-found'; readonly id: string; readonly createdUtc: string }
  | LookupFailure;

export type LookupFailure = {
  readonly kind: 'failed';
  readonly message: string;
  readonly reaction: Reaction;
  readonly cause: FailureCause;
  readonly retryAfterSeconds?: number;
};

/** `unknown`: a failure that the server did not name. The last two: its answer never came. */
export type FailureCause = ErrorCode | 'unknown' | 'unreachable' | 'offline';

export type LookupRequest = { readonly id: string; readonly proof: string; readonly platformName: string };

type LookupNetwork = {
  readonly fetch: typeof globalThis.fetch;
  readonly isOnline: () => boolean;
  readonly signal: AbortSignal;
};

/** The JSON of a response; undefined when it has none or it is broken. */
const readJson = async (response: Response): Promise<unknown> => {
  if (!response.headers.get('content-type')?.includes('application/json')) return undefined;
  return response.json().catch(() => undefined);
};

const toFailure = (body: Partial<ErrorBody> | undefined): LookupFailure => ({
  kind: 'failed',
  message: body?.error || 'Unexpected server error.',
  reaction: reactionTo(body?.code),
  cause: body?.code ?? 'unknown',
  ...(body?.retry_after !== undefined && { retryAfterSeconds: body.retry_after }),
});

const toAnswer = async (response: Response): Promise<LookupAnswer> => {
  const body = await readJson(response);
  if (response.ok && body) return { kind: 'found', profile: body as Profile };
  if (response.status === 404 && body && Object.hasOwn(body, 'created_utc')) {
    const { id, created_utc: createdUtc } = body as NotFound;
    return { kind: 'not-found', id, createdUtc };
  }
  return toFailure(body as Partial<ErrorBody> | undefined);
};

export const lookUp = async (request: LookupRequest, network: LookupNetwork): Promise<LookupAnswer> => {
  if (request.proof === '') {
    return {
      kind: 'failed',
      message: 'Complete the Altcha challenge to continue.',
      reaction: reactionTo('proof-missing'),
      cause: 'proof-missing',
    };
  }
  try {
    const response = await network.fetch('/lookup', {
      method: 'POST',
      mode: 'cors',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [idFieldName(request.platformName)]: request.id, proof: request.proof }),
      signal: network.signal,
    });
    return await toAnswer(response);
  } catch (error) {
    const message =
      error instanceof Error && error.message !== '' ? error.message : 'Unable to complete lookup.';
    const cause = network.isOnline() ? 'unreachable' : 'offline';
    return { kind: 'failed', message, reaction: 'try-later', cause };
  }
};
