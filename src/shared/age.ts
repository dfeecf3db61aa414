const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const twoLargest = (...parts: readonly (readonly [amount: number, unit: string])[]): string => {
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}${amount === 1 ? '' : 's'}`)
    .join(', ');
};

/** The same moment of the month so many months later, or the month's last day if it is shorter. */
const monthsLater = (fromMs: number, months: number): number => {
  const from = new Date(fromMs);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  const later = new Date(fromMs);
  later.setUTCMonth(from.getUTCMonth() + months, Math.min(from.getUTCDate(), lastDay));
  return later.getTime();
};

/** In English like everything else, until the pages are translated. */
export const dayInWords = (ms: number): string => (dayFormat ??= createDayFormat()).format(ms);

let dayFormat: Intl.DateTimeFormat | undefined;
const createDayFormat = () => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** How long ago something was, in the two largest units of the calendar. */
export const ageInWords = (fromMs: number, nowMs: number): string => {
  const passedMs = nowMs - fromMs;
  if (passedMs < MINUTE_MS) return 'less than a minute';
  if (passedMs < DAY_MS) {
    const minutes = Math.floor(passedMs / MINUTE_MS);
    return twoLargest([Math.floor(minutes / 60), 'hour'], [minutes % 60, 'minute']);
  }
  const [from, now] = [new Date(fromMs), new Date(nowMs)];
  let months = (now.getUTCFullYear() - from.getUTCFullYear()) * 12 + now.getUTCMonth() - from.getUTCMonth();
  if (monthsLater(fromMs, months) > nowMs) months -= 1;
  const days = Math.floor((nowMs - monthsLater(fromMs, months)) / DAY_MS);
  return twoLargest([Math.floor(months / 12), 'year'], [months % 12, 'month'], [days, 'day']);
};
