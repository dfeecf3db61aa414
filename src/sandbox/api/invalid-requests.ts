import { getOrInsert } from '../get-or-insert.ts';
import { createSlidingWindow, type SlidingWindow } from './sliding-window.ts';

export type InvalidRequests = {
  readonly record: (clientIp: string, nowMs: number) => void;
  readonly isBanned: (clientIp: string, nowMs: number) => boolean;
  readonly liftBans: () => void;
};

const WINDOW_MS = 600_000;
const BAN_MS = 3_600_000;

/** Counts 401, 403 and non-shared 429 per client address over ten minutes, and bans for an hour at the limit. */
export const createInvalidRequests = (limit: number): InvalidRequests => {
  const recent = new Map<string, SlidingWindow>();
  const bannedUntilMs = new Map<string, number>();
  return {
    record: (clientIp, nowMs) => {
      const window = getOrInsert(recent, clientIp, () => createSlidingWindow(WINDOW_MS));
      window.add(nowMs);
      if (window.count(nowMs) >= limit) bannedUntilMs.set(clientIp, nowMs + BAN_MS);
    },
    isBanned: (clientIp, nowMs) => nowMs < (bannedUntilMs.get(clientIp) ?? 0),
    liftBans: () => {
      recent.clear();
      bannedUntilMs.clear();
    },
  };
};
