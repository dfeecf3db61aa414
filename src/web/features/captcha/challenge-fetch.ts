import { readJson, toFailure } from '../../ask-server.ts';
import { captchaProblems as texts } from '../../texts/captcha.ts';
import type { SolverMessage, SolverWorker } from './abortable-worker.ts';
import type { AskedChallenge } from './ask-challenge.ts';
import type { CaptchaProblem } from './captcha-state.ts';
import type { Search } from './challenge-search.ts';

const UNREACHABLE = { message: texts.unreachable };

type ChallengeFetchDeps = {
  /** A challenge that is worked at already, or a new one. */
  readonly ask: () => AskedChallenge;
  /** For the algorithms that we do not solve ourselves. */
  readonly startStockWorker: () => SolverWorker;
};

/** What the widget takes for one of its workers: it hears what the search finds. */
const listenTo = (search: Search): SolverWorker => {
  const answers = new EventTarget();
  const answer = async (): Promise<void> => {
    const solution = await search.found;
    const data = solution && { ...solution, worker: true };
    answers.dispatchEvent(new MessageEvent('message', { data }));
  };
  return {
    addEventListener: (type, listener) => answers.addEventListener(type, listener as EventListener),
    postMessage: () => void answer(),
    terminate: search.end,
  };
};

/** The widget's way to the challenge and its solution. It adds what the widget lacks: an end when the modal closes, and the server's words. */
export const createChallengeFetch = ({ ask, startStockWorker }: ChallengeFetchDeps) => {
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  let refusal: CaptchaProblem | undefined;
  let current: AskedChallenge | undefined;
  let search: Search | undefined;
  let left = false;

  const answerOf = async (challenge: AskedChallenge): Promise<Response> => {
    const answer = await challenge.answer;
    const { response } = answer;
    search = answer.search;
    search?.hurry();
    refusal = response.status === 200 ? undefined : toFailure(await readJson(response.clone()), texts.failed);
    return response;
  };

  return {
    /** Resolves with the first request, whatever becomes of it. */
    asked,
    fetch: async (): Promise<Response> => {
      noteAsked();
      refusal = UNREACHABLE;
      try {
        if (!left) return await answerOf((current = ask()));
      } catch (error) {
        if (!left) throw error;
      }
      // The widget puts every failure on the console, and nobody waits for this one any more.
      return new Promise<never>(() => undefined);
    },
    startWorker: ({ payload }: Extract<SolverMessage, { type: 'work' }>): SolverWorker =>
      search?.puzzle.challenge === payload.challenge ? listenTo(search) : startStockWorker(),
    /** Why there is no challenge, if the last request gave none. */
    refusal: (): CaptchaProblem | undefined => refusal,
    /** How much of the search is done; nothing as long as there is none. */
    share: (): number => search?.share() ?? 0,
    abort: (): void => {
      left = true;
      current?.end();
    },
  };
};
