/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
import { describe, expect, it } from 'vitest';
import type { Solution, SolverWorker } from './challenge-search.ts';
import { createWidgetWorker, solveWithStockWorker } from './widget-challenge.ts';

const work = { type: 'work', payload: { challenge: 'c' } } as const;
const abort = { type: 'abort' } as const;

const setUp = () => {
  const { promise: found, resolve: find } = Promise.withResolvers<Solution | null>();
  const works: unknown[] = [];
  let ends = 0;
  let nothing = 0;
  const worker = createWidgetWorker(
    (message) => {
      works.push(message);
      return { found, end: () => void (ends += 1) };
    },
    () => void (nothing += 1),
  );
  const answers: unknown[] = [];
  worker.addEventListener('message', (event) => answers.push(event.data));
  return { worker, find, works, answers, ends: () => ends, nothing: () => nothing };
};

describe('a worker of the widget', () => {
  it('answers an abort at once, ends the work and drops what is found later', async () => {
    const { worker, find, answers, ends } = setUp();
    worker.postMessage(work);
    worker.postMessage(abort);
    expect(answers).toEqual([null]);
    expect(ends()).toBe(1);
    find({ number: 7, took: 3 });
    await Promise.resolve();
    worker.postMessage(abort);
    expect(answers).toEqual([null]);
  });

  it('says nothing after it was terminated', async () => {
    const { worker, find, answers, ends } = setUp();
    worker.postMessage(work);
    worker.terminate();
    find({ number: 7, took: 3 });
    await Promise.resolve();
    expect([answers, ends()]).toEqual([[], 1]);
  });
});

describe('the stock worker', () => {
  it.each([
    ['its answer', new MessageEvent('message', { data: { number: 7, took: 3 } }), { number: 7, took: 3 }],
    ['nothing when its script cannot be loaded', new Event('error'), null],
    ['nothing when it is ended', undefined, null],
  ])('is handed the work, terminated in the end, and finds %s', async (_, event, found) => {
    const calls: unknown[] = [];
    const stock = Object.assign(new EventTarget(), {
      postMessage: (message: unknown) => calls.push(message),
      terminate: () => calls.push('terminated'),
    });
    const solving = solveWithStockWorker(stock as unknown as SolverWorker, work);
    if (event) stock.dispatchEvent(event);
    else solving.end();
    expect(await solving.found).toEqual(found);
    expect(calls).toEqual([work, 'terminated']);
  });
});
