import { readJson } from '../../ask-server.ts';
import type { CaptchaProblem } from './captcha-state.ts';
import type { Attempt } from './proof.ts';

/** A fake Worker for the widget: answers exactly once, with what the attempt finds. */
const createFakeWorker = ({ found, end }: Pick<Attempt, 'found' | 'end'>) => {
  const worker = new EventTarget();
  let answered = false;
  const answer = (data: object | null): void => {
    if (!answered) worker.dispatchEvent(new MessageEvent('message', { data }));
    answered = true;
  };
  const work = async (): Promise<void> => {
    const solution = await found;
    answer(solution && { ...solution, worker: true });
  };
  return Object.assign(worker, {
    postMessage: ({ type }: { readonly type: 'work' | 'abort' }): void => {
      if (type === 'work') return void work();
      answer(null);
      end();
    },
    terminate: (): void => {
      answered = true;
    },
  });
};

type WidgetChallengeDeps = {
  readonly url: string;
  readonly take: () => Attempt;
  /** For what else the widget asks: to verify the proof, if the server configured it so. */
  readonly fetch: typeof globalThis.fetch;
  readonly explain: (answer: { readonly body: unknown; readonly status: number }) => CaptchaProblem;
};

/** Adds what the widget lacks: an end when the dialog closes, and the server's words if there is no challenge. */
export const createWidgetChallenge = ({ url, take, fetch, explain }: WidgetChallengeDeps) => {
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  let refusal: CaptchaProblem | undefined;
  let current: Attempt | undefined;
  let closed = false;

  const receive = async (attempt: Attempt): Promise<Response> => {
    const response = await attempt.response;
    const { status } = response;
    if (status !== 200) refusal = explain({ body: await readJson(response.clone()), status });
    return response;
  };
  return {
    /** Resolves when the first request is made, even if it fails. */
    asked,
    fetch: async (asks: string, init?: RequestInit): Promise<Response> => {
      if (asks !== url) return fetch(asks, init);
      noteAsked();
      refusal = undefined;
      if (!closed) current = take();
      try {
        if (current && !closed) return await receive(current);
      } catch (error) {
        if (!closed) throw error;
      }
      // The widget logs every failure as an error, and nobody waits for this one any more.
      return new Promise<never>(() => undefined);
    },
    createWorker: () => createFakeWorker(current ?? take()),
    refusal: (): CaptchaProblem | undefined => refusal,
    close: (): void => {
      closed = true;
      current?.end();
    },
  };
};
