/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
import { readJson } from '../../ask-server.ts';
import type { AskedChallenge } from './ask-challenge.ts';
import type { CaptchaProblem } from './captcha-state.ts';
import type { Search, Solution, SolverWorker } from './challenge-search.ts';

type Work = { readonly type: 'work'; readonly payload: { readonly challenge: string } };

type WidgetMessage = Work | { readonly type: 'abort' };

type Solving = Pick<Search, 'found' | 'end'>;

/** Poses as a worker of the widget, which waits for one answer from each, forever: so this gives exactly one. */
export const createWidgetWorker = (solve: (work: Work) => Solving, onNothingFound: () => void) => {
  const answers = new EventTarget();
  let solving: Solving | undefined;
  let over = false;

  const answer = (solution: Solution | null): void => {
    if (over) return;
    over = true;
    const data = solution && { ...solution, worker: true };
    answers.dispatchEvent(new MessageEvent('message', { data }));
  };

  const report = (solution: Solution | null): void => {
    if (!solution && !over) onNothingFound();
    answer(solution);
  };

  return {
    addEventListener: (type: 'message', listener: (event: MessageEvent) => void): void =>
      answers.addEventListener(type, listener as EventListener),
    postMessage: (message: WidgetMessage): void => {
      if (over) return;
      if (message.type === 'work') {
        solving = solve(message);
        void solving.found.then(report);
      } else {
        answer(null);
        solving?.end();
      }
    },
    terminate: (): void => {
      over = true;
      solving?.end();
    },
  };
};

/** Solves with the widget's own worker, which does not hear an abort while it is busy. */
export const solveWithStockWorker = (worker: SolverWorker, work: Work): Solving => {
  const { promise: found, resolve } = Promise.withResolvers<Solution | null>();
  const settle = (solution: Solution | null): void => {
    worker.terminate();
    resolve(solution);
  };
  worker.addEventListener('message', (event) => settle(event.data as Solution | null));
  worker.addEventListener('error', () => settle(null));
  worker.postMessage(work);
  return { found, end: () => settle(null) };
};

type WidgetChallengeDeps = {
  readonly challengeUrl: string;
  readonly ask: () => AskedChallenge;
  /** For what else the widget asks: to verify the proof, if the server configured it so. */
  readonly fetch: typeof globalThis.fetch;
  readonly startStockWorker: () => SolverWorker;
  readonly explain: (answer: { readonly body: unknown; readonly status: number }) => CaptchaProblem;
};

const FAILED: CaptchaProblem = { name: 'failed' };

/** Adds what the widget lacks: an end when the dialog closes, and the server's words if there is no challenge. */
export const createWidgetChallenge = (deps: WidgetChallengeDeps) => {
  const { challengeUrl, ask, fetch, startStockWorker, explain } = deps;
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  let refusal: CaptchaProblem | undefined;
  let current: AskedChallenge | undefined;
  let search: Search | undefined;
  let closed = false;

  const receive = async (): Promise<Response> => {
    current = ask();
    const { response, valid, search: begun } = await current.answer;
    search = begun;
    search?.hurry();
    const { status } = response;
    if (status !== 200) refusal = explain({ body: await readJson(response.clone()), status });
    else if (!valid) refusal = FAILED;
    // What cannot be solved here is not shown by halves.
    return status === 200 && !valid ? new Response(null, { status: 422 }) : response;
  };

  return {
    /** Resolves when the first request is made, even if it fails. */
    asked,
    fetch: async (url: string, init?: RequestInit): Promise<Response> => {
      if (url !== challengeUrl) return fetch(url, init);
      noteAsked();
      refusal = undefined;
      try {
        if (!closed) return await receive();
      } catch (error) {
        refusal = FAILED;
        if (!closed) throw error;
      }
      // The widget logs every failure as an error, and nobody waits for this one any more.
      return new Promise<never>(() => undefined);
    },
    createWorker: () =>
      createWidgetWorker(
        (work) =>
          search?.puzzle.challenge === work.payload.challenge
            ? search
            : solveWithStockWorker(startStockWorker(), work),
        () => (refusal = FAILED),
      ),
    refusal: (): CaptchaProblem | undefined => refusal,
    share: (): number => search?.share() ?? 0,
    close: (): void => {
      closed = true;
      current?.end();
    },
  };
};
