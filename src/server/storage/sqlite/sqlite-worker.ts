/* oxlint-disable unicorn/require-post-message-target-origin -- that is for windows; a thread has none */
import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite } from './sqlite-connection.ts';
import type { Answer, Question } from './sqlite-thread.ts';

/** Errors are taken apart: a clone of one would have lost SQLite's code. */
const answer = (work: () => Answer): void => {
  try {
    parentPort?.postMessage(work());
  } catch (error) {
    const { name, message, stack = '' } = error as Error;
    const parts: Answer = { error: { ...(error as object), name, message, stack } };
    parentPort?.postMessage(parts);
  }
};

answer(() => {
  const sqlite = openSqlite(workerData as string);
  parentPort?.on('message', (question: Question) => {
    if (question === 'roll back') return answer(sqlite.rollBack);
    if (question !== 'close') return answer(() => sqlite.execute(question));
    sqlite.close();
    parentPort?.close();
  });
  return { rows: [] };
});
