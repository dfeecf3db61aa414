import { AppError } from '#server/app-error.ts';
import { visitorPrefixes } from '#server/visitors/ip-address.ts';

export const AT_ONCE = 80;
const AT_ONCE_PER_VISITOR = 20;
const RETRY_MS = 1_000;

type Transfer = { readonly narrow: string; readonly wide: string; readonly cut: AbortController };

const busy = (): AppError => new AppError('pictures-busy', { retryAfterMs: RETRY_MS });

/**
 * Counts the pictures in transfer. When there are as many as there may be, the network that has most of them gives up
 * its oldest for one that has fewer: however many addresses read slowly, others get theirs.
 */
export const createTransfers = () => {
  /** In the order of their beginning. */
  const running = new Set<Transfer>();

  const makeRoom = (byNetwork: ReadonlyMap<string, readonly Transfer[]>, own: number): void => {
    const most = [...byNetwork.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    const [oldest] = most;
    if (oldest === undefined || most.length <= own + 1) throw busy();
    running.delete(oldest);
    oldest.cut.abort();
  };

  return {
    /** `end` ends it; `cut` tells if it has to end. */
    begin: (visitor: string): { readonly end: () => void; readonly cut: AbortSignal } => {
      const { narrow, wide } = visitorPrefixes(visitor);
      const byNetwork = Map.groupBy(running, (transfer) => transfer.wide);
      const own = byNetwork.get(wide) ?? [];
      if (own.filter((transfer) => transfer.narrow === narrow).length >= AT_ONCE_PER_VISITOR) throw busy();
      if (running.size >= AT_ONCE) makeRoom(byNetwork, own.length);
      const transfer: Transfer = { narrow, wide, cut: new AbortController() };
      running.add(transfer);
      return { cut: transfer.cut.signal, end: () => void running.delete(transfer) };
    },
  };
};
