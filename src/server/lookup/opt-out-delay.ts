import { sleep, type System } from '#server/system.ts';

const REMEMBERED = 32;
const USUAL_MS = 120;

/**
 * Who is not to be shown must look like nobody, also to someone with a stopwatch: the answer takes as long as one of
 * the platform's last answers took.
 */
export const createOptOutDelay = ({ clock, random }: System) => {
  const tookMs = [USUAL_MS];
  let next = 0;
  return {
    observe: (ms: number): void => {
      tookMs[next] = ms;
      next = (next + 1) % REMEMBERED;
    },
    wait: () => sleep(clock, tookMs[random.integer(tookMs.length)] ?? USUAL_MS),
  };
};
