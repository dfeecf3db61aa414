import type { InBackground } from '#server/storage/redis/in-background.ts';
import { STORE_POLL_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { CancelTimer, Clock } from '#server/system.ts';
import type { SuspectVerdict } from './rules/suspicion.ts';
import type { TokenLedger } from './token-ledger.ts';
import type { TokenStore } from './token-store/token-store.ts';

export type SuspectCheckerDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: TokenStore;
  readonly judge: TokenLedger['judge'];
  readonly tokenOf: (id: string) => BotToken | undefined;
  readonly onGone: (token: BotToken) => void;
  readonly inBackground: InBackground;
};

/** The platform may be available again without our being told. */
const LOOK_AGAIN_MS = 60_000;

/** Asks the platform about the tokens that are suspects, one at a time. Returns how to wake it. */
export const createSuspectChecker = (deps: SuspectCheckerDeps): (() => void) => {
  const { clock, platform, store, judge, tokenOf, onGone, inBackground } = deps;
  let isChecking = false;
  let cancelTimer: CancelTimer = () => {};

  const checkAtMs = (): number =>
    Math.max(store.suspectAtMs(), platform.freeAtMs('getOwnUser', clock.monotonicMs()));

  /** False if there is nothing to check now. */
  const checkNext = async (): Promise<boolean> => {
    if (checkAtMs() > clock.monotonicMs()) return false;
    const suspect = await store.takeSuspect();
    if (suspect === null) return false;
    let isJudged = false;
    try {
      const permit = await platform.requestPermit('getOwnUser');
      const token = tokenOf(suspect.id);
      if (token === undefined) permit?.release();
      if (token === undefined || permit === null) return false;
      const verdict = verdictOf(await permit.ask(token), token);
      if (await judge(suspect, verdict)) onGone(token);
      isJudged = true;
      return true;
    } finally {
      if (!isJudged) await store.giveBackSuspect(suspect);
    }
  };

  const checkAll = async (): Promise<void> => {
    while (await checkNext());
  };

  const plan = (): void => {
    isChecking = false;
    if (store.suspectAtMs() === Infinity) return;
    const waitMs = checkAtMs() - clock.monotonicMs();
    // Never at once: a store that is out of reach would be asked again and again.
    cancelTimer = clock.after(Math.min(Math.max(STORE_POLL_MS, waitMs), LOOK_AGAIN_MS), wake);
  };

  const wake = (): void => {
    if (isChecking || store.suspectAtMs() === Infinity) return;
    isChecking = true;
    cancelTimer();
    inBackground(() => checkAll().finally(plan));
  };

  return wake;
};

/** Only a plain refusal ends a token; any other surprise may be a mix-up of the platform. */
const verdictOf = (answer: PlatformAnswer<DiscordUser>, { botId }: BotToken): SuspectVerdict => {
  if (answer.kind === 'unauthorized') return 'dead';
  return answer.kind === 'found' && answer.value.id === botId ? 'alive' : 'unclear';
};
