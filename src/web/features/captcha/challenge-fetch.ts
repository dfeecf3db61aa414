import { readJson, toFailure } from '../../ask-server.ts';
import { FAILED, type CaptchaProblem } from './captcha-state.ts';

type Fetch = typeof globalThis.fetch;

/** The widget's way to the challenge. It adds what the widget lacks: an end when the modal closes, and the server's words. */
export type ChallengeFetch = {
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Why there is no challenge, if the last request gave none. */
  readonly refusal: () => CaptchaProblem | undefined;
  readonly abort: () => void;
  /** Resolves with the first request, whatever becomes of it. */
  readonly asked: Promise<void>;
};

const UNREACHABLE = { message: 'The server cannot be reached. Check your connection and retry.' };

export const createChallengeFetch = (fetch: Fetch): ChallengeFetch => {
  const leaving = new AbortController();
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  let refusal: CaptchaProblem | undefined;
  return {
    asked,
    fetch: async (url, init) => {
      noteAsked();
      refusal = UNREACHABLE;
      try {
        const response = await fetch(url, { ...init, signal: leaving.signal });
        // Read to the end here, or an abort half way would be the widget's to fail on.
        const read = new Response(await response.text(), response);
        refusal = read.status === 200 ? undefined : toFailure(await readJson(read.clone()), FAILED);
        return read;
      } catch (error) {
        // The widget puts every failure on the console, and nobody waits for this one any more.
        if (leaving.signal.aborted) return new Promise<never>(() => undefined);
        throw error;
      }
    },
    refusal: () => refusal,
    abort: () => leaving.abort(),
  };
};
