/** Times must not go backwards. */
export const createSlidingWindow = (lengthMs: number) => {
  let times: number[] = [];
  let first = 0;
  return {
    add: (nowMs: number): void => {
      times.push(nowMs);
    },
    count: (nowMs: number): number => {
      while ((times[first] ?? nowMs) <= nowMs - lengthMs) first += 1;
      if (first > 10_000) {
        times = times.slice(first);
        first = 0;
      }
      return times.length - first;
    },
    oldestMs: (): number | undefined => times[first],
  };
};

export type SlidingWindow = ReturnType<typeof createSlidingWindow>;
