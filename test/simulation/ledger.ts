import type { Nature } from './schedule.ts';

export type Ledger = ReturnType<typeof createLedger>;

const SECOND_MS = 1_000;
/** After a failover that forgot something: until servers have told it again, and limits are learned again. */
const TOLD_AGAIN_MS = 8_000;
const LEARNED_AGAIN_MS = 30_000;

type Loan = { readonly token: string; readonly sinceMs: number; untilMs: number; isAskedBack: boolean };

/** What was promised to whom, and what was seen: the first promise that is broken ends the world. */
export const createLedger = ({ schedule: { nowMs }, tell }: Nature, perSecond: number) => {
  const accepted = new Set<string>();
  const arrivalsMs: number[] = [];
  /** By receipt. */
  const loans = new Map<string, Loan>();
  const withdrawnMs = new Map<string, number>();
  const optedOutMs = new Map<string, number>();
  const refused = new Set<string>();
  const unsure = new Set<string>();
  const broken: string[] = [];
  /** What was acknowledged in these times may have been forgotten. */
  const lags: { readonly fromMs: number; readonly toMs: number }[] = [];

  const breaks = (promise: string): void => {
    tell('BROKEN', promise);
    broken.push(promise);
  };
  const lagAt = (atMs: number) => lags.find(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs);
  const isLearning = (): boolean =>
    lags.some(({ fromMs, toMs }) => nowMs() >= fromMs && nowMs() < toMs + LEARNED_AGAIN_MS);
  const receipts = (isWanted: (loan: Loan) => boolean): string[] =>
    [...loans].flatMap(([receipt, loan]) => (isWanted(loan) ? [receipt] : []));

  return {
    breaks,
    broken: (): readonly string[] => broken,
    forgot: (fromMs: number, toMs: number): void => void lags.push({ fromMs, toMs }),
    accepted: (proof: string): void => {
      if (accepted.has(proof)) breaks('a proof was accepted twice');
      accepted.add(proof);
    },
    proofs: (): readonly string[] => [...accepted],
    departed: (token: string): void => {
      const sinceMs = withdrawnMs.get(token) ?? Infinity;
      const lag = lagAt(sinceMs);
      const untilMs = lag === undefined ? sinceMs : lag.toMs + TOLD_AGAIN_MS;
      if (nowMs() > untilMs) breaks('a withdrawn token was used');
    },
    arrived: (): void => {
      arrivalsMs.push(nowMs());
      const firstMs = arrivalsMs.at(-perSecond - 1) ?? -Infinity;
      if (nowMs() - firstMs < SECOND_MS && !isLearning())
        breaks(`more than ${perSecond} requests in a second`);
    },
    limited: (): void => {
      if (!isLearning()) breaks('the platform answered 429');
    },
    donated: (receipt: string, token: string): void =>
      void loans.set(receipt, { token, sinceMs: nowMs(), untilMs: Infinity, isAskedBack: false }),
    donationRefused: (token: string): void => void refused.add(token),
    donationForgotten: (token: string): void => void unsure.add(token),
    askedBack: (token: string): void => {
      for (const loan of loans.values()) if (loan.token === token) loan.isAskedBack = true;
    },
    withdrawn: (token: string): void => {
      withdrawnMs.set(token, nowMs());
      for (const loan of loans.values()) if (loan.token === token) loan.untilMs = nowMs();
    },
    mustBeKept: () => receipts(({ sinceMs, isAskedBack }) => !isAskedBack && lagAt(sinceMs) === undefined),
    mustBeGone: () => receipts(({ untilMs }) => untilMs < Infinity),
    mustNotBeKept: (): ReadonlySet<string> => refused.difference(unsure),
    optedOut: (id: string): void => void optedOutMs.set(id, nowMs()),
    /** Infinity if that was not acknowledged, or may have been forgotten. */
    optedOutAt: (id: string): number => {
      const atMs = optedOutMs.get(id) ?? Infinity;
      return lagAt(atMs) === undefined ? atMs : Infinity;
    },
  };
};
