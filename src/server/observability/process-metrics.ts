import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '#server/system.ts';
import type { Registry } from './registry.ts';

/** Longer than most scrape intervals. */
const LAG_WINDOW_MS = 30_000;

/** Under the names that other Node programs use. */
export const addProcessMetrics = (registry: Registry, clock: Clock): void => {
  const { total, gauge } = registry;
  total('process_cpu_seconds_total', 'User and system CPU time spent', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge(
    'process_start_time_seconds',
    'Start time of the process since the Unix epoch',
    () => performance.timeOrigin / 1_000,
  );
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Heap in use', () => process.memoryUsage().heapUsed);
  gauge('nodejs_external_memory_bytes', 'Memory outside the heap', () => process.memoryUsage().external);
  addFileDescriptors(registry);
  addEventLoopLag(registry, clock);
};

const addFileDescriptors = ({ gauge }: Registry): void => {
  if (process.platform !== 'linux') return;
  const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  // Reading the folder opens one more.
  gauge('process_open_fds', 'Open file descriptors', () => readdirSync('/proc/self/fd').length - 1);
  gauge('process_max_fds', 'Maximum number of open file descriptors', () => Number(limit ?? Infinity));
};

/** Two histograms take turns, so that one reader does not reset what another has yet to see. */
const addEventLoopLag = ({ gauge }: Registry, clock: Clock): void => {
  const start = () => {
    const delays = monitorEventLoopDelay();
    delays.enable();
    return delays;
  };
  let [before, now] = [start(), start()];
  let sinceMs = clock.monotonicMs();
  const takeTurns = (): void => {
    if (clock.monotonicMs() - sinceMs < LAG_WINDOW_MS) return;
    before.reset();
    [before, now] = [now, before];
    sinceMs = clock.monotonicMs();
  };
  const add = (name: string, of: (delays: typeof now) => number): void =>
    gauge(
      `nodejs_eventloop_lag_${name}_seconds`,
      `Event loop delay in the last half minute or more, ${name}`,
      () => {
        takeTurns();
        return Math.max(of(before), of(now)) / 1e9;
      },
    );
  add('p50', (delays) => delays.percentile(50));
  add('p99', (delays) => delays.percentile(99));
  add('max', (delays) => delays.max);
};
