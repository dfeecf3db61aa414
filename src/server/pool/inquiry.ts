import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { CancelTimer, Clock } from '#server/system.ts';
import type { SuspectVerdict } from './suspicion.ts';
import type { TokenSource } from './token-source.ts';

export type InquiryDeps<T extends { readonly token: BotToken }> = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly source: Pick<TokenSource<T>, 'takeSuspect' | 'settleSuspect' | 'suspectAtMs'>;
  readonly onGone: (token: BotToken) => void;
};

/** The door may open again without anybody telling. */
const LOOK_AGAIN_MS = 60_000;

/** Asks the platform about the tokens that are under suspicion, one at a time. Gives back how to wake it. */
export const createInquiry = <T extends { readonly token: BotToken }>(deps: InquiryDeps<T>): (() => void) => {
  const { clock, platform, source, onGone } = deps;
  let isAsking = false;
  let cancelTimer: CancelTimer = () => {};

  const askWhomItCan = async (): Promise<void> => {
    for (;;) {
      const granted = await source.takeSuspect();
      if (granted === null) return;
      const { pass, chosen } = granted;
      const answer = await pass.ask(chosen.token).catch(() => null);
      if (await source.settleSuspect(chosen, verdictOf(answer, chosen.token))) onGone(chosen.token);
    }
  };

  const plan = (): void => {
    isAsking = false;
    const nowMs = clock.monotonicMs();
    const suspectAtMs = source.suspectAtMs(nowMs);
    if (suspectAtMs === Infinity) return;
    const waitMs = Math.max(suspectAtMs, platform.freeAtMs('getOwnUser', nowMs)) - nowMs;
    cancelTimer = clock.after(Math.min(Math.max(0, waitMs), LOOK_AGAIN_MS), wake);
  };

  const wake = (): void => {
    if (isAsking || source.suspectAtMs(clock.monotonicMs()) === Infinity) return;
    isAsking = true;
    cancelTimer();
    // A store that cannot be reached now is asked again later.
    void askWhomItCan()
      .catch(() => {})
      .finally(plan);
  };

  return wake;
};

/** Only the platform's plain no ends a token; that it works again, or belongs to somebody else, may be a mix-up. */
const verdictOf = (answer: PlatformAnswer<DiscordUser> | null, { botId }: BotToken): SuspectVerdict => {
  if (answer?.kind === 'unauthorized') return 'dead';
  return answer?.kind === 'found' && answer.value.id === botId ? 'alive' : 'unclear';
};
