// Loaded into the server's process with --import. Writes down when and how long its event loop did not come round.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 5;
const file = process.env['LOOP_PROBE'] ?? '';

/** Linux counts in hundredths of a second what the machine's own host withholds. */
const STEAL = /^cpu(?: +\d+){7} +(\d+)/;

/** How long this thread has waited for a core, and this machine for its host: neither is the server's fault. */
const waitedMs = (): number => {
  const [, nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  const [, hundredths] = STEAL.exec(readFileSync('/proc/stat', 'utf8')) ?? [];
  return Number(nanoseconds) / 1e6 + Number(hundredths) * 10;
};

if (isMainThread && file !== '') {
  let [lastMs, lastWaitedMs] = [performance.now(), waitedMs()];
  setInterval(() => {
    const [nowMs, nowWaitedMs] = [performance.now(), waitedMs()];
    const blockedMs = nowMs - lastMs - EVERY_MS - (nowWaitedMs - lastWaitedMs);
    if (blockedMs > EVERY_MS) appendFileSync(file, `${Date.now()} ${blockedMs}\n`);
    [lastMs, lastWaitedMs] = [nowMs, nowWaitedMs];
  }, EVERY_MS).unref();
}
