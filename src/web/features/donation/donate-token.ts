import { reactionTo } from '../../error-reactions.ts';
import { readJson, toServerFailure, type ServerFailure } from '../../server-failure.ts';

export type DonationAnswer =
  /** The receipt is what the donor can take the token back with. The server gives it this once. */
  { readonly kind: 'saved'; readonly receipt?: string } | ({ readonly kind: 'failed' } & ServerFailure);

export type DonationRequest = { readonly token: string; readonly proof: string };

type DonationNetwork = { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal };

const toAnswer = async (response: Response): Promise<DonationAnswer> => {
  const body = await readJson(response);
  if (!response.ok) return { kind: 'failed', ...toServerFailure(body, 'Token donation failed.') };
  const { receipt } = (body ?? {}) as { receipt?: unknown };
  return { kind: 'saved', ...(typeof receipt === 'string' && { receipt }) };
};

export const donateToken = async (
  { token, proof }: DonationRequest,
  { fetch, signal }: DonationNetwork,
): Promise<DonationAnswer> => {
  if (proof === '') {
    const message = 'Complete the Altcha challenge to donate your token.';
    return { kind: 'failed', message, reaction: reactionTo('proof-missing') };
  }
  try {
    const response = await fetch('/donate-token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, proof }),
      signal,
    });
    return await toAnswer(response);
  } catch {
    return { kind: 'failed', message: 'Unable to submit token right now.', reaction: 'try-later' };
  }
};
