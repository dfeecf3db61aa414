import { POLL_MS } from '#server/deadlines.ts';
import { newFlight, type TokenSteps } from '#server/platform/gate.ts';
import type { Platform } from '#server/platform/platform.ts';
import { checkAt } from '#server/rules/suspicion.ts';
import type { TokenStore } from '#server/state/token-store.ts';
import type { CancelTimer, Clock } from '#server/system.ts';

export type SuspectCheckerDeps = {
  readonly clock: Clock;
  readonly platform: Platform;
  readonly store: TokenStore;
  readonly steps: TokenSteps;
  readonly onFailure: (error: unknown) => void;
};

/** The platform may be available again without our being told. */
const LOOK_AGAIN_MS = 60_000;

/** Asks the platform about the tokens that are suspects, one at a time. */
export const createSuspectChecker = (deps: SuspectCheckerDeps) => {
  const { clock, platform, store, steps, onFailure } = deps;
  let isChecking = false;
  let cancelTimer: CancelTimer = () => {};

  /** Infinity while one is being checked, and if there is none. */
  const suspectWaitMs = (): number => {
    const nowMs = store.nowMs();
    return Math.max(store.size().checkMs, checkAt(store.standings()[0].suspicion, nowMs)) - nowMs;
  };
  const waitMs = (): number => Math.max(suspectWaitMs(), platform.waitMs('getOwnUser'));

  /** False if there is nothing to check now. */
  const checkNext = async (): Promise<boolean> => {
    if (waitMs() > 0) return false;
    const flight = newFlight();
    const permit = await platform.attempt('getOwnUser', steps, flight);
    if (permit === null || flight.token === null) return false;
    await permit.ask(flight.token);
    return true;
  };

  const checkAll = async (): Promise<void> => {
    while (await checkNext());
  };

  const plan = (): void => {
    isChecking = false;
    if (store.size().suspects === 0) return;
    // Never at once: a store that is out of reach would be asked again and again.
    cancelTimer = clock.after(Math.min(Math.max(POLL_MS, waitMs()), LOOK_AGAIN_MS), wake);
  };

  const wake = (): void => {
    if (isChecking || store.size().suspects === 0) return;
    isChecking = true;
    cancelTimer();
    checkAll().catch(onFailure).finally(plan);
  };

  return { wake, waitMs };
};
