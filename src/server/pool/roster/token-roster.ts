import type { BotToken } from '#server/platform/bot-token.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import { settleAnswer } from '../settle-answer.ts';
import { createSuspects } from './suspects.ts';
import type { SuspectVerdict } from '../suspicion.ts';
import { coolBudget, type Exchange, type TokenBudget } from '../refill.ts';
import type { TokenCounts } from '../token-source.ts';
import { budgetFreeAt, createTokenBudget, spendBudget } from '../token-budget.ts';
import { createTokenSchedule } from './token-schedule.ts';

export type PooledToken = {
  readonly token: BotToken;
  readonly budget: TokenBudget;
  /** `away`: in no queue, because only an answer that is under way can free it. `gone`: taken out or replaced. */
  place: 'ready' | 'waiting' | 'away' | 'suspect' | 'gone';
  freeAtMs: number;
  /** When it was last set aside. */
  suspectedMs: number;
  /** How many were made with it. */
  requests: number;
};

/** A token that is refused again although the platform has just vouched for it rests: each refusal counts against us. */
const CONTRADICTION_REST_MS = 60_000;

/**
 * All tokens, and which of them may make the next request. A token that the platform turns away, or answers for
 * with somebody else, is a suspect: it is not used, and goes only once the platform says so when asked about it.
 */
export const createTokenRoster = () => {
  const byBot = new Map<string, PooledToken>();
  const suspects = createSuspects<PooledToken>();
  let schedule = createTokenSchedule<PooledToken>();

  const place = (entry: PooledToken, nowMs: number): void => {
    entry.freeAtMs = budgetFreeAt(entry.budget, nowMs);
    if (entry.freeAtMs <= nowMs) {
      entry.place = 'ready';
      schedule.pushReady(entry);
    } else if (entry.freeAtMs === Infinity) {
      entry.place = 'away';
    } else {
      entry.place = 'waiting';
      schedule.pushWaiting(entry);
    }
  };

  const suspect = (entry: PooledToken): void => {
    entry.place = 'suspect';
    suspects.add(entry);
  };

  const suspectAll = (): void => {
    schedule = createTokenSchedule<PooledToken>();
    for (const entry of byBot.values())
      if (entry.place === 'ready' || entry.place === 'waiting') suspect(entry);
  };

  /** The schedule may still hold the entry, so another one takes its place. */
  const setAside = (entry: PooledToken, nowMs: number): void => {
    entry.place = 'gone';
    if (nowMs - entry.suspectedMs < CONTRADICTION_REST_MS)
      coolBudget(entry.budget, nowMs + CONTRADICTION_REST_MS);
    const aside = { ...entry, suspectedMs: nowMs };
    byBot.set(entry.token.botId, aside);
    suspect(aside);
    if (suspects.doubted(nowMs)) suspectAll();
  };

  const takeReady = (nowMs: number): PooledToken | undefined => {
    for (let due = schedule.popDue(nowMs); due !== undefined; due = schedule.popDue(nowMs))
      schedule.pushReady(due);
    for (let entry = schedule.popReady(); entry !== undefined; entry = schedule.popReady()) {
      if (entry.place === 'gone') continue;
      if (budgetFreeAt(entry.budget, nowMs) <= nowMs) return entry;
      place(entry, nowMs);
    }
    return undefined;
  };

  /** Takes the next token that may send now and counts the request against it. */
  const take = (nowMs: number): PooledToken | undefined => {
    const entry = takeReady(nowMs);
    if (entry === undefined) return undefined;
    spendBudget(entry.budget, nowMs);
    place(entry, nowMs);
    return entry;
  };

  /** Null if nothing was asked after all. True if the answer makes the token a suspect. */
  const settle = (
    entry: PooledToken,
    answer: PlatformAnswer<unknown> | null,
    exchange: Exchange,
  ): boolean => {
    settleAnswer(entry.budget, answer, exchange);
    if (entry.place === 'gone' || entry.place === 'suspect') return false;
    const isDoubtful = answer?.kind === 'unauthorized' || answer?.kind === 'foreign';
    if (isDoubtful) setAside(entry, exchange.receivedMs);
    else if (entry.place === 'away') place(entry, exchange.receivedMs);
    return isDoubtful;
  };

  /** What came of asking about a suspect. True if the token is gone for good. */
  const settleSuspect = (entry: PooledToken, verdict: SuspectVerdict, nowMs: number): boolean => {
    if (!suspects.answered(entry, verdict, nowMs)) return false;
    if (verdict === 'alive') place(entry, nowMs);
    if (verdict === 'dead') remove(entry.token.botId);
    return verdict === 'dead';
  };

  /** With `only` nothing but this very token. */
  const remove = (botId: string, only?: BotToken): void => {
    const entry = byBot.get(botId);
    if (entry === undefined || (only !== undefined && !isSame(only, entry.token))) return;
    suspects.remove(entry);
    entry.place = 'gone';
    byBot.delete(botId);
  };

  return {
    add: (token: BotToken, nowMs: number): void => {
      remove(token.botId);
      const entry = newEntry(token, nowMs);
      byBot.set(token.botId, entry);
      schedule.unshiftReady(entry);
    },
    remove,
    take,
    settle,
    takeSuspect: suspects.take,
    settleSuspect,
    suspectAtMs: suspects.nextMs,
    /** When `take` may have something to give. Infinity means: once an answer that is under way is in. */
    freeAtMs: () => (schedule.hasReady() ? -Infinity : Math.min(schedule.nextDueMs(), suspects.nextMs())),
    size: () => byBot.size,
    entries: (): Iterable<PooledToken> => byBot.values(),
    isAllSuspect: () => suspects.size() >= byBot.size,
    counts: (nowMs: number): TokenCounts => {
      const counts = { healthy: 0, cooling: 0, suspect: 0 };
      for (const entry of byBot.values()) counts[health(entry, nowMs)] += 1;
      return counts;
    },
  };
};

const isSame = (a: BotToken, b: BotToken): boolean => a.secret.reveal() === b.secret.reveal();

const newEntry = (token: BotToken, nowMs: number): PooledToken => ({
  token,
  budget: createTokenBudget(),
  place: 'ready',
  freeAtMs: nowMs,
  suspectedMs: -Infinity,
  requests: 0,
});

const health = (entry: PooledToken, nowMs: number): 'healthy' | 'cooling' | 'suspect' => {
  if (entry.place === 'suspect') return 'suspect';
  return entry.budget.coolUntilMs > nowMs ? 'cooling' : 'healthy';
};
