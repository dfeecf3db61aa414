import { LRUCache } from 'lru-cache';

export type Allowance = { readonly count: number; readonly periodMs: number; readonly burst: number };

/** Whom an event counts against; each allowance must agree. A soft one only presses. */
export type Counter = {
  readonly key: string;
  readonly allowances: readonly Allowance[];
  readonly isSoft?: boolean;
};

/** What one more event comes to: how long it has to wait, and the share (0..1) of a burst that is then in use. */
export type Assessment = { readonly waitMs: number; readonly pressure: number };

const MOST_KEPT = 100_000;
/** Sums of fractions are not exact, less so after weeks of uptime; the last event of a burst must not suffer. */
const ROUNDING_MS = 0.01;

/** By how much one event moves the time at which the use so far is paid off (GCRA). */
const stepMs = ({ count, periodMs }: Allowance): number => periodMs / count;

/** A flood pushes out who has not come for longest, so limits get looser and never stricter. */
export const createCounters = (nowMs: () => number, max = MOST_KEPT) => {
  // With `max` it would take the room of all of them at once.
  const paidOffMs = new LRUCache<string, readonly number[]>({ maxSize: max, sizeCalculation: () => 1 });

  const assess = (counters: readonly Counter[]): Assessment => {
    let waitMs = 0;
    let pressure = 0;
    for (const { key, allowances, isSoft = false } of counters) {
      const owedMs = paidOffMs.get(key) ?? [];
      for (const [n, allowance] of allowances.entries()) {
        const aheadMs = Math.max(0, (owedMs[n] ?? 0) - nowMs()) + stepMs(allowance);
        const mostMs = allowance.burst * stepMs(allowance);
        if (!isSoft) waitMs = Math.max(waitMs, aheadMs - mostMs);
        pressure = Math.max(pressure, aheadMs / mostMs);
      }
    }
    return { waitMs: waitMs > ROUNDING_MS ? waitMs : 0, pressure: Math.min(1, pressure) };
  };
  const count = (counters: readonly Counter[], events: number): void => {
    for (const { key, allowances, isSoft = false } of counters) {
      const owedMs = paidOffMs.get(key) ?? [];
      const moved = allowances.map((one, n) => {
        const owed = Math.max(nowMs(), owedMs[n] ?? 0) + events * stepMs(one);
        // Nobody pays for what they were not stopped from.
        return isSoft ? Math.min(owed, nowMs() + one.burst * stepMs(one)) : owed;
      });
      paidOffMs.set(key, moved);
    }
  };

  return {
    of: (counters: readonly Counter[]) => ({
      assess: () => assess(counters),
      /** Counts the event, unless it has to wait. */
      take: (): Assessment => {
        const assessment = assess(counters);
        if (assessment.waitMs === 0) count(counters, 1);
        return assessment;
      },
      giveBack: (): void => count(counters, -1),
      /** What has happened already, also if it is too much. */
      charge: (events: number): void => count(counters, events),
    }),
    clear: (): void => paidOffMs.clear(),
  };
};
