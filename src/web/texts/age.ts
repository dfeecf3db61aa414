const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export type TimeUnit = 'year' | 'month' | 'day' | 'hour' | 'minute';
type Span = readonly (readonly [amount: number, unit: TimeUnit])[];

const twoLargest = (...parts: Span): Span => {
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts.slice(first, first + 2).filter(([amount]) => amount > 0);
};

/** The same moment of the month so many months later, or the month's last day if it is shorter. */
const monthsLater = (fromMs: number, months: number): number => {
  const from = new Date(fromMs);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  const later = new Date(fromMs);
  later.setUTCMonth(from.getUTCMonth() + months, Math.min(from.getUTCDate(), lastDay));
  return later.getTime();
};

export const spanBetween = (fromMs: number, toMs: number): Span => {
  const passedMs = toMs - fromMs;
  if (passedMs < MINUTE_MS) return [];
  if (passedMs < DAY_MS) {
    const minutes = Math.floor(passedMs / MINUTE_MS);
    return twoLargest([Math.floor(minutes / 60), 'hour'], [minutes % 60, 'minute']);
  }
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  let months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  if (monthsLater(fromMs, months) > toMs) months -= 1;
  const days = Math.floor((toMs - monthsLater(fromMs, months)) / DAY_MS);
  return twoLargest([Math.floor(months / 12), 'year'], [months % 12, 'month'], [days, 'day']);
};
