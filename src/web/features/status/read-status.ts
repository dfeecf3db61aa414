import type { Status } from '#shared/contract/status.ts';
import { readJson, toServerFailure } from '../../server-failure.ts';

export type StatusAnswer =
  | { readonly kind: 'read'; readonly status: Status }
  | { readonly kind: 'failed'; readonly message: string };

const FAILED = 'The status could not be read. Please try again later.';

type StatusNetwork = { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal };

export const readStatus = async ({ fetch, signal }: StatusNetwork): Promise<StatusAnswer> => {
  try {
    const response = await fetch('/status.json', { signal });
    const body = await readJson(response);
    return response.ok && body !== undefined
      ? { kind: 'read', status: body as Status }
      : { kind: 'failed', message: toServerFailure(body, FAILED).message };
  } catch {
    return { kind: 'failed', message: 'The server could not be reached. Check your connection and refresh.' };
  }
};
