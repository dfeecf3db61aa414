import stockWorkerUrl from 'altcha/worker?url&no-inline';
import { createAbortableWorker } from './abortable-worker.ts';
import { loadOnce } from './load-once.ts';

const startWorker = (algorithm: string): Worker =>
  algorithm.toUpperCase() === 'SHA-256'
    ? new Worker(new URL('./sha256-worker.ts', import.meta.url), { type: 'module' })
    : new Worker(stockWorkerUrl);

/** Fetches the widget, defines its element and gives it our workers. */
export const loadAltcha = loadOnce(async () => {
  await Promise.all([import('altcha/altcha.css'), import('altcha/external')]);
  // Only now: the module puts its own factory there while it loads.
  globalThis.altchaCreateWorker = () => createAbortableWorker(startWorker) as unknown as Worker;
});
