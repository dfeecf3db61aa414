import type { ErrorBody } from '#shared/contract/errors.ts';

type Fetch = typeof globalThis.fetch;

/** The widget's way to the challenge. It adds what the widget lacks: an end when the modal closes, and the server's words. */
export type ChallengeFetch = {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** The sentence with which the server refused a challenge, if it did. */
  readonly refusal: () => string | undefined;
  readonly abort: () => void;
};

export const createChallengeFetch = (fetch: Fetch): ChallengeFetch => {
  const leaving = new AbortController();
  let refusal: string | undefined;
  return {
    fetch: async (url, init) => {
      const response = await fetch(url, { ...init, signal: leaving.signal }).catch((error: unknown) => {
        // The widget puts every failure on the console, and nobody waits for this one any more.
        if (leaving.signal.aborted) return new Promise<never>(() => undefined);
        throw error;
      });
      if (response.status !== 200) {
        const body: Partial<ErrorBody> | null = await response
          .clone()
          .json()
          .catch(() => null);
        refusal = body?.error;
      }
      return response;
    },
    refusal: () => refusal,
    abort: () => leaving.abort(),
  };
};
