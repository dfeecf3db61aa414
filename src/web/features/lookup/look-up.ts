import type { ErrorCode } from '#shared/contract/errors.ts';
import type { NotFound, Profile } from '#shared/contract/profile.ts';
import { idFieldName } from '#shared/site.ts';
import { reactionTo } from '../../error-reactions.ts';
import { readJson, toServerFailure, type ServerFailure } from '../../server-failure.ts';

export type LookupAnswer =
  | { readonly kind: 'found'; readonly profile: Profile }
  | { readonly kind: 'not-found'; readonly id: string; readonly createdUtc: string }
  | LookupFailure;

export type LookupFailure = ServerFailure & { readonly kind: 'failed'; readonly cause: FailureCause };

/** `unknown`: a failure that the server did not name. The last two: its answer never came. */
export type FailureCause = ErrorCode | 'unknown' | 'unreachable' | 'offline';

export type LookupRequest = { readonly id: string; readonly proof: string; readonly platformName: string };

type LookupNetwork = {
  readonly fetch: typeof globalThis.fetch;
  readonly isOnline: () => boolean;
  readonly signal: AbortSignal;
};

const toAnswer = async (response: Response): Promise<LookupAnswer> => {
  const body = await readJson(response);
  if (response.ok && body) return { kind: 'found', profile: body as Profile };
  if (response.status === 404 && body && Object.hasOwn(body, 'created_utc')) {
    const { id, created_utc: createdUtc } = body as NotFound;
    return { kind: 'not-found', id, createdUtc };
  }
  return {
    kind: 'failed',
    ...toServerFailure(body, 'Unexpected server error.'),
    cause: (body as Partial<{ code: ErrorCode }> | null | undefined)?.code ?? 'unknown',
  };
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
