// Loaded into the server's process with --import. Notes when and for how long its event loop was blocked.
import { readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { isMainThread, Worker } from 'node:worker_threads';

const EVERY_MS = 5;
const file = process.env['LOOP_PROBE'] ?? '';

/** How long this thread has waited for a core: not the server's fault. */
const waitedMs = (): number => {
  const [, nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
};

/** How long this thread itself has computed: a block without it waited for something. */
const computedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Counts the turns of an idle thread: there are few while the whole machine stalls. */
const startWitness = (): (() => number) => {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const code = `const { workerData } = require('node:worker_threads');
    setInterval(() => Atomics.add(workerData, 0, 1), ${EVERY_MS});`;
  new Worker(code, { eval: true, env: {}, execArgv: [], workerData: count }).unref();
  return () => Atomics.load(count, 0) * EVERY_MS;
};

if (isMainThread && file !== '') {
  const witnessedMs = startWitness();
  const read = () => ({
    nowMs: performance.now(),
    waitedMs: waitedMs(),
    computedMs: computedMs(),
    witnessedMs: witnessedMs(),
  });
  let last = read();
  setInterval(() => {
    const now = read();
    const witnessed = now.witnessedMs - last.witnessedMs;
    const computed = now.computedMs - last.computedMs;
    const absentMs = now.nowMs - last.nowMs - EVERY_MS - (now.waitedMs - last.waitedMs);
    // The idle thread drifts, and shares its core with others. Blocks by our own computing do not depend on it.
    const blockedMs = Math.min(absentMs, Math.max(1.3 * witnessed, computed));
    // Not written at once: a busy disk would hold up the loop that is measured.
    if (blockedMs > EVERY_MS) void appendFile(file, `${Date.now()} ${blockedMs} ${computed}\n`);
    last = now;
  }, EVERY_MS).unref();
}
