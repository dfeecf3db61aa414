import type { Clock } from '#server/system.ts';
import type { createCheckLink, LinkVerdict } from './check-link.ts';
import type { VanityLinkStore } from './vanity-link-store.ts';

export type InviteWatchDeps = {
  readonly clock: Clock;
  readonly store: VanityLinkStore;
  readonly checkLink: ReturnType<typeof createCheckLink>;
  readonly onPaused: (because: LinkVerdict) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

const DAY_MS = 86_400_000;
/** A link that nothing could be learned about must not keep the others waiting. */
const TRY_AGAIN_MS = 3_600_000;
/** One link at a time and never two within a minute: lookups come first. */
const PACE_MS = 60_000;

export const watchInvites = (deps: InviteWatchDeps): (() => void) => {
  const { clock, store, checkLink, onPaused, onFailure } = deps;
  const triedMs = new Map<string, number>();
  let cancel = (): void => {};
  let stopped = false;

  const checkMostOverdue = async (): Promise<void> => {
    const before = new Date(clock.wallMs() - DAY_MS).toISOString();
    const nowMs = clock.monotonicMs();
    const wasTried = (name: string): boolean => nowMs - (triedMs.get(name) ?? -Infinity) < TRY_AGAIN_MS;
    const [due] = (await store.all())
      .filter((link) => link.paused_because === null && link.checked_at < before && !wasTried(link.name))
      .sort((a, b) => a.checked_at.localeCompare(b.checked_at));
    if (due === undefined) return;
    triedMs.set(due.name, nowMs);
    // If a node ends halfway, the others take over an hour later.
    const claimed = new Date(clock.wallMs() - DAY_MS + TRY_AGAIN_MS).toISOString();
    if (!(await store.claim(due, claimed))) return;
    const verdict = await checkLink(due);
    if (verdict === 'unclear') await store.claim({ ...due, checked_at: claimed }, due.checked_at);
    else triedMs.delete(due.name);
    if (verdict !== 'good' && verdict !== 'unclear') await onPaused(verdict);
  };
  const next = (): void => {
    if (stopped) return;
    cancel = clock.after(PACE_MS, () => {
      checkMostOverdue().catch(onFailure).finally(next);
    });
  };
  next();
  return () => {
    stopped = true;
    cancel();
  };
};
