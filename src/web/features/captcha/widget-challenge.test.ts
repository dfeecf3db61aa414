/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
import { describe, expect, it } from 'vitest';
import { ENGLISH } from '#test/support/texts.ts';
import { toFailure } from '../../ask-server.ts';
import type { Search, Solution, SolverWorker } from './challenge-search.ts';
import { createWidgetChallenge } from './widget-challenge.ts';

const URL = 'https://site.example/challenge';

const work = (challenge: string) => ({ type: 'work', payload: { challenge } }) as const;

const createFakeSearch = () => {
  const { promise: found, resolve: find } = Promise.withResolvers<Solution | null>();
  const calls: string[] = [];
  const search: Search = {
    puzzle: { challenge: 'c', salt: 's', maxNumber: 1 },
    found,
    share: () => 0.5,
    hurry: () => void calls.push('hurry'),
    end: () => void calls.push('end'),
  };
  return { search, find, calls };
};

const setUp = (answer: () => Promise<Response>, search?: Search, valid = true) => {
  let ended = 0;
  const stockWork: unknown[] = [];
  const stock = Object.assign(new EventTarget(), {
    postMessage: (message: unknown) => stockWork.push(message),
  });
  const challenge = createWidgetChallenge({
    challengeUrl: URL,
    fetch: async () => new Response(),
    ask: () => ({
      answer: answer().then((response) => ({
        response,
        valid,
        search,
        prove: async () => undefined,
        expiresMs: Infinity,
      })),
      end: () => void (ended += 1),
    }),
    startStockWorker: () => stock as unknown as SolverWorker,
    explain: (refused) => toFailure(refused, {}, ENGLISH.captcha.failed),
  });
  return { challenge, ended: () => ended, stockWork };
};

describe('fetching a challenge for the widget', () => {
  it('gives the widget nothing that is no challenge', async () => {
    const { challenge } = setUp(async () => Response.json({ codeChallenge: {} }), undefined, false);
    expect((await challenge.fetch(URL)).status).toBe(422);
    expect(challenge.refusal()).toEqual({ name: 'failed' });
  });

  it('says that it failed when the server cannot be reached, and forgets it when it can', async () => {
    const answers = [() => Promise.reject(new TypeError('offline')), async () => Response.json({})];
    const { challenge } = setUp(() => answers.shift()!());
    await expect(challenge.fetch(URL)).rejects.toThrow('offline');
    expect(challenge.refusal()).toEqual({ name: 'failed' });
    await challenge.fetch(URL);
    expect(challenge.refusal()).toBeUndefined();
  });

  it('says nothing while the challenge is on its way: what the widget says meanwhile is heard', async () => {
    const { challenge } = setUp(() => new Promise(() => undefined));
    void challenge.fetch(URL);
    expect(challenge.refusal()).toBeUndefined();
  });

  it('tells the widget nothing more once the dialog is closed, and ends what it asked for', async () => {
    const { promise, reject } = Promise.withResolvers<Response>();
    const { challenge, ended } = setUp(() => promise);
    const outcomes: string[] = [];
    const note = (outcome: string) => (): void => void outcomes.push(outcome);
    void challenge.fetch(URL).then(note('answered'), note('failed'));
    challenge.close();
    expect(ended()).toBe(1);
    reject(new DOMException('aborted', 'AbortError'));
    void challenge.fetch(URL).then(note('answered'), note('failed'));
    await new Promise((resolve) => setTimeout(resolve));
    expect(outcomes).toEqual([]);
  });

  it('tells that it was asked, also if the dialog is closed by then', async () => {
    const { challenge } = setUp(async () => Response.json({}));
    let asked = false;
    void challenge.asked.then(() => (asked = true));
    await Promise.resolve();
    expect(asked).toBe(false);
    challenge.close();
    void challenge.fetch(URL);
    await challenge.asked;
    expect(asked).toBe(true);
  });
});

describe('the workers of the widget', () => {
  it('hear what the search finds, which somebody waits for now', async () => {
    const { search, find, calls } = createFakeSearch();
    const { challenge } = setUp(async () => Response.json({}), search);
    expect(challenge.share()).toBe(0);
    await challenge.fetch(URL);
    expect(calls).toEqual(['hurry']);
    expect(challenge.share()).toBe(0.5);
    const worker = challenge.createWorker();
    const heard = new Promise((resolve) =>
      worker.addEventListener('message', (event) => resolve(event.data)),
    );
    worker.postMessage(work('c'));
    find({ number: 7, took: 3 });
    expect(await heard).toEqual({ number: 7, took: 3, worker: true });
    worker.terminate();
    expect(calls).toEqual(['hurry', 'end']);
  });

  it('make it fail when they find nothing, but not when they are told to stop', async () => {
    const { search, find } = createFakeSearch();
    const { challenge } = setUp(async () => Response.json({}), search);
    await challenge.fetch(URL);
    const stopped = challenge.createWorker();
    stopped.postMessage(work('c'));
    stopped.postMessage({ type: 'abort' });
    const worker = challenge.createWorker();
    worker.postMessage(work('c'));
    expect(challenge.refusal()).toBeUndefined();
    find(null);
    await search.found;
    expect(challenge.refusal()).toEqual({ name: 'failed' });
  });

  it('are those of the widget itself for what we do not solve', async () => {
    const { challenge, stockWork } = setUp(async () => Response.json({}), createFakeSearch().search);
    challenge.createWorker().postMessage(work('c'));
    await challenge.fetch(URL);
    challenge.createWorker().postMessage(work('another'));
    expect(stockWork).toEqual([work('c'), work('another')]);
  });
});
