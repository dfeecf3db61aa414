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

/** Of the last whole window, so that one reader takes nothing from another. */
const addEventLoopLag = ({ gauge }: Registry, clock: Clock): void => {
  const delays = monitorEventLoopDelay();
  delays.enable();
  let sinceMs = clock.monotonicMs();
  let last = { p50: 0, p99: 0, max: 0 };
  const look = () => {
    if (clock.monotonicMs() - sinceMs >= LAG_WINDOW_MS) {
      last = { p50: delays.percentile(50), p99: delays.percentile(99), max: delays.max };
      delays.reset();
      sinceMs = clock.monotonicMs();
    }
    return last;
  };
  for (const name of ['p50', 'p99', 'max'] as const)
    gauge(
      `nodejs_eventloop_lag_${name}_seconds`,
      `Event loop delay in half a minute or more, ${name}`,
      () => look()[name] / 1e9,
    );
};
