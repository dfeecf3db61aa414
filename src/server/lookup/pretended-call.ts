import type { System } from '#server/system.ts';

/**
 * Who is not to be shown must look like nobody, also to someone with a stopwatch: the answer takes as long as one of
 * the platform's last answers took.
 */
export type PretendedCall = {
  readonly observe: (tookMs: number) => void;
  readonly pretend: () => Promise<null>;
};

const REMEMBERED = 32;
const USUAL_MS = 120;

export const createPretendedCall = ({ clock, random }: System): PretendedCall => {
  const tookMs = [USUAL_MS];
  let next = 0;
  return {
    observe: (ms) => {
      tookMs[next] = ms;
      next = (next + 1) % REMEMBERED;
    },
    pretend: () =>
      new Promise((resolve) => {
        clock.after(tookMs[random.integer(tookMs.length)] ?? USUAL_MS, () => resolve(null));
      }),
  };
};
