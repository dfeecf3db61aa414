import { setTimeout as delay } from 'node:timers/promises';

const TICK_MS = 5;

/**
 * Starts so many tasks a second, whether those before have ended or not: a slow server gets no relief from it. Resolves
 * when the last one has ended.
 */
export const keepPace = async (
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  task: () => Promise<void>,
): Promise<number> => {
  const startMs = performance.now();
  const tasks = new Set<Promise<void>>();
  let started = 0;
  for (let elapsedMs = 0; elapsedMs < seconds * 1_000; elapsedMs = performance.now() - startMs) {
    for (; started < (elapsedMs / 1_000) * perSecond; started += 1) {
      const running = task().finally(() => tasks.delete(running));
      tasks.add(running);
    }
    await delay(TICK_MS);
  }
  await Promise.all(tasks);
  return started;
};
