import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { CancelTimer, Clock } from '#server/system.ts';
import type { SuspectVerdict } from './suspicion.ts';
import type { createTokenRoster } from './token-roster.ts';

export type InquiryDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly roster: ReturnType<typeof createTokenRoster>;
  /** A suspect is free again, or gone for good. */
  readonly onSettled: (token: BotToken, isGone: boolean) => void;
};

/** The door may open again without anybody telling. */
const LOOK_AGAIN_MS = 60_000;

/** Asks the platform about the tokens that are under suspicion, one at a time. Gives back how to wake it. */
export const createInquiry = ({ clock, platform, roster, onSettled }: InquiryDeps): (() => void) => {
  let isAsking = false;
  let cancelTimer: CancelTimer = () => {};

  const askWhomItCan = async (): Promise<void> => {
    for (;;) {
      const granted = await platform.passFor('getOwnUser', roster.takeSuspect);
      if (granted === null) return;
      const { pass, chosen } = granted;
      const answer = await pass.ask(chosen.token).catch(() => null);
      const verdict = verdictOf(answer, chosen.token);
      onSettled(chosen.token, roster.settleSuspect(chosen, verdict, clock.monotonicMs()));
    }
  };

  const plan = (): void => {
    isAsking = false;
    const nowMs = clock.monotonicMs();
    const suspectAtMs = roster.suspectAtMs();
    if (suspectAtMs === Infinity) return;
    const waitMs = Math.max(suspectAtMs, platform.freeAtMs('getOwnUser', nowMs)) - nowMs;
    cancelTimer = clock.after(Math.min(Math.max(0, waitMs), LOOK_AGAIN_MS), wake);
  };

  const wake = (): void => {
    if (isAsking || roster.suspectAtMs() === Infinity) return;
    isAsking = true;
    cancelTimer();
    void askWhomItCan().finally(plan);
  };

  return wake;
};

/** Only the platform's plain no ends a token; that it works again, or belongs to somebody else, may be a mix-up. */
const verdictOf = (answer: PlatformAnswer<DiscordUser> | null, { botId }: BotToken): SuspectVerdict => {
  if (answer?.kind === 'unauthorized') return 'dead';
  return answer?.kind === 'found' && answer.value.id === botId ? 'alive' : 'unclear';
};
