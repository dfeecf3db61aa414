import { readJson, toFailure } from '../../ask-server.ts';
import { FAILED, type CaptchaProblem } from './captcha-state.ts';

const UNREACHABLE = { message: 'The server cannot be reached. Check your connection and retry.' };

/** The widget's way to the challenge. It adds what the widget lacks: an end when the modal closes, and the server's words. */
export const createChallengeFetch = (fetch: typeof globalThis.fetch) => {
  const leaving = new AbortController();
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  let refusal: CaptchaProblem | undefined;
  return {
    /** Resolves with the first request, whatever becomes of it. */
    asked,
    fetch: async (url: string, init?: RequestInit): Promise<Response> => {
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
    /** Why there is no challenge, if the last request gave none. */
    refusal: (): CaptchaProblem | undefined => refusal,
    abort: (): void => leaving.abort(),
  };
};
