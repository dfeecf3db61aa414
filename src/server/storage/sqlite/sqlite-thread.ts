/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a thread has none */
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { OperatorError } from '#server/operator-error.ts';
import type { ConnectSqlite, Outcome, Statement } from './sqlite-connection.ts';

export type Question = Statement | 'roll back' | 'close';
export type Answer = Outcome | { readonly error: Error };

/** Beside this module, in the sources as in the build. */
const PROGRAM = new URL(`./sqlite-worker${extname(import.meta.url)}`, import.meta.url);

export const connectSqliteThread: ConnectSqlite = async (path) => {
  // Without Node's options: what they load is meant for the server.
  const worker = new Worker(PROGRAM, { workerData: path, name: 'sqlite', execArgv: [] });
  const [opened] = (await once(worker, 'message')) as [Answer];
  if ('error' in opened) throw restore(opened.error);

  let asked = Promise.withResolvers<Answer>();
  // Its errors have no listener, so that the process ends with it: for it to die is a defect.
  worker.on('message', (answer: Answer) => asked.resolve(answer));
  const ask = async (question: Question): Promise<Outcome> => {
    asked = Promise.withResolvers();
    worker.postMessage(question);
    const answer = await asked.promise;
    if ('error' in answer) throw restore(answer.error);
    return answer;
  };
  return {
    execute: ask,
    rollBack: () => ask('roll back'),
    close: async () => {
      worker.postMessage('close');
      await once(worker, 'exit');
    },
  };
};

const restore = (error: Error): Error => {
  const { exitCode, finding, remedy } = error as OperatorError;
  return error.name === 'OperatorError'
    ? new OperatorError(exitCode, finding, remedy)
    : Object.assign(new Error(error.message), error);
};
