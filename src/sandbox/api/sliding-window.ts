/** Times must not go backwards. */
export const createSlidingWindow = (lengthMs: number) => {
  const times: number[] = [];
  return {
    add: (nowMs: number): void => {
      times.push(nowMs);
    },
    count: (nowMs: number): number => {
      while ((times[0] ?? nowMs) <= nowMs - lengthMs) times.shift();
      return times.length;
    },
    oldestMs: (): number | undefined => times[0],
  };
};

export type SlidingWindow = ReturnType<typeof createSlidingWindow>;
