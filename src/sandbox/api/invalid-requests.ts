import { getOrInsert } from '../get-or-insert.ts';
import { createSlidingWindow, type SlidingWindow } from './sliding-window.ts';

const WINDOW_MS = 600_000;
const BAN_MS = 3_600_000;

export type InvalidRequests = ReturnType<typeof createInvalidRequests>;

export const createInvalidRequests = (limit: number) => {
  const recent = new Map<string, SlidingWindow>();
  const bannedUntilMs = new Map<string, number>();
  return {
    record: (clientIp: string, nowMs: number): void => {
      const window = getOrInsert(recent, clientIp, () => createSlidingWindow(WINDOW_MS));
      window.add(nowMs);
      if (window.count(nowMs) >= limit) bannedUntilMs.set(clientIp, nowMs + BAN_MS);
    },
    isBanned: (clientIp: string, nowMs: number): boolean => nowMs < (bannedUntilMs.get(clientIp) ?? 0),
    liftBans: (): void => {
      recent.clear();
      bannedUntilMs.clear();
    },
  };
};
