import { readJson, toFailure } from '../../ask-server.ts';
import { captchaProblems as texts } from '../../texts/captcha.ts';
import type { AskedChallenge } from './ask-challenge.ts';
import type { CaptchaProblem } from './captcha-state.ts';
import type { Search, SolverWorker } from './challenge-search.ts';
import { createWidgetWorker, solveWithStockWorker } from './widget-worker.ts';

type WidgetChallengeDeps = {
  /** A challenge that is being solved already, or a new one. */
  readonly ask: () => AskedChallenge;
  /** For the algorithms that we do not solve ourselves. */
  readonly startStockWorker: () => SolverWorker;
};

/**
 * What the widget uses in place of its own request and workers. It adds what the widget lacks: an end when the dialog
 * closes, and the server's words when there is no challenge.
 */
export const createWidgetChallenge = ({ ask, startStockWorker }: WidgetChallengeDeps) => {
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  let refusal: CaptchaProblem | undefined;
  let current: AskedChallenge | undefined;
  let search: Search | undefined;
  let closed = false;

  const receive = async (): Promise<Response> => {
    current = ask();
    const answer = await current.answer;
    search = answer.search;
    search?.hurry();
    const { response } = answer;
    refusal = response.status === 200 ? undefined : toFailure(await readJson(response.clone()), texts.failed);
    return response;
  };

  return {
    /** Resolves with the first request, whatever becomes of it. */
    asked,
    fetch: async (): Promise<Response> => {
      noteAsked();
      refusal = { message: texts.unreachable };
      try {
        if (!closed) return await receive();
      } catch (error) {
        if (!closed) throw error;
      }
      // The widget logs every failure as an error, and nobody waits for this one any more.
      return new Promise<never>(() => undefined);
    },
    createWorker: () =>
      createWidgetWorker((work) =>
        search?.puzzle.challenge === work.payload.challenge
          ? search
          : solveWithStockWorker(startStockWorker(), work),
      ),
    /** Why the last request gave no challenge. */
    refusal: (): CaptchaProblem | undefined => refusal,
    /** How much of the search is done, from 0 to 1. */
    share: (): number => search?.share() ?? 0,
    close: (): void => {
      closed = true;
      current?.end();
    },
  };
};
