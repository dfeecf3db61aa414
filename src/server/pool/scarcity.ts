import type { Clock } from '#server/system.ts';

/** From 0 to 1: sooner than anybody is refused for want of tokens. */
const RISE_MS = 2_000;
/** And back: a flood that comes and goes finds it still high. */
const FALL_MS = 120_000;
/** Of the time since the last look, no more than this is taken to have been like now. */
const LONGEST_RISE_MS = 1_000;

/** Follows the shortage (0..1), up quickly and down slowly. */
export const nextScarcity = (before: number, shortage: number, elapsedMs: number): number =>
  shortage > before
    ? Math.min(shortage, before + Math.min(elapsedMs, LONGEST_RISE_MS) / RISE_MS)
    : Math.max(shortage, before - elapsedMs / FALL_MS);

/** How scarce tokens have been of late, 0..1, as far as this process can see. */
export const createScarcity = (clock: Clock, shortage: () => number): (() => number) => {
  let scarcity = 0;
  let seenMs = clock.monotonicMs();
  return () => {
    const nowMs = clock.monotonicMs();
    scarcity = nextScarcity(scarcity, shortage(), nowMs - seenMs);
    seenMs = nowMs;
    return scarcity;
  };
};
