// Loaded into the server's process with --import. Writes down when and how long its event loop did not come round.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 5;
const file = process.env['LOOP_PROBE'] ?? '';

/** How long this thread has waited for a core, which is not the server's fault. */
const waitedMs = (): number =>
  Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;

if (isMainThread && file !== '') {
  let [lastMs, lastWaitedMs] = [performance.now(), waitedMs()];
  setInterval(() => {
    const [nowMs, nowWaitedMs] = [performance.now(), waitedMs()];
    const blockedMs = nowMs - lastMs - EVERY_MS - (nowWaitedMs - lastWaitedMs);
    if (blockedMs > EVERY_MS) appendFileSync(file, `${Date.now()} ${blockedMs}\n`);
    [lastMs, lastWaitedMs] = [nowMs, nowWaitedMs];
  }, EVERY_MS).unref();
}
