/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a worker has none */
import { describe, expect, it } from 'vitest';
import { createAbortableWorker, type SolverMessage, type SolverWorker } from './abortable-worker.ts';

const work: SolverMessage = { type: 'work', payload: { challenge: 'c' } };
const abort: SolverMessage = { type: 'abort' };

const setUp = () => {
  const real = Object.assign(new EventTarget(), {
    posted: [] as unknown[],
    terminations: 0,
    postMessage: (message: unknown) => void real.posted.push(message),
    terminate: () => void (real.terminations += 1),
    answer: (data: unknown) => real.dispatchEvent(new MessageEvent('message', { data })),
  });
  const works: unknown[] = [];
  const worker = createAbortableWorker((started) => {
    works.push(started);
    return real as unknown as SolverWorker;
  });
  const answers: unknown[] = [];
  worker.addEventListener('message', (event) => answers.push(event.data));
  return { real, worker, answers, works };
};

describe('an abortable worker', () => {
  it('starts a worker only when there is work, and hands the work on', () => {
    const { real, worker, works } = setUp();
    expect(works).toEqual([]);
    worker.postMessage(work);
    expect(works).toEqual([work]);
    expect(real.posted).toEqual([work]);
  });

  it('passes the answer on', () => {
    const { real, worker, answers } = setUp();
    worker.postMessage(work);
    real.answer({ number: 7 });
    expect(answers).toEqual([{ number: 7 }]);
  });

  it('answers an abort at once, ends the worker and drops what it says later', () => {
    const { real, worker, answers } = setUp();
    worker.postMessage(work);
    worker.postMessage(abort);
    expect(answers).toEqual([null]);
    expect(real.terminations).toBe(1);
    real.answer({ number: 7 });
    worker.postMessage(abort);
    expect(answers).toEqual([null]);
  });

  it('answers when the script of the worker cannot be loaded', () => {
    const { real, worker, answers } = setUp();
    worker.postMessage(work);
    real.dispatchEvent(new Event('error'));
    real.dispatchEvent(new Event('error'));
    expect(answers).toEqual([null]);
  });

  it('says nothing after it was terminated', () => {
    const { real, worker, answers } = setUp();
    worker.postMessage(work);
    worker.terminate();
    real.answer({ number: 7 });
    expect(real.terminations).toBe(1);
    expect(answers).toEqual([]);
  });
});
