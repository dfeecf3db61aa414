import type { BotToken } from '#server/platform/bot-token.ts';
import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import { createRing } from './ring.ts';
import { createSuspicion } from './suspicion.ts';
import {
  budgetFreeAt,
  coolBudget,
  createTokenBudget,
  distrustBudget,
  settleBudget,
  spendBudget,
  type Exchange,
  type TokenBudget,
} from './token-budget.ts';
import { createTokenSchedule } from './token-schedule.ts';

export type PooledToken = {
  readonly token: BotToken;
  readonly budget: TokenBudget;
  /** `away`: in no queue, because only an answer that is under way can free it. */
  place: 'ready' | 'waiting' | 'suspect' | 'on-trial' | 'away' | 'retired';
  freeAtMs: number;
};

export type RosterCounts = {
  readonly healthy: number;
  readonly cooling: number;
  readonly suspect: number;
};

/** Answers rounded to milliseconds and clocks that drift: never come back exactly on the dot. */
const COOL_MARGIN_MS = 50;
/** A token that is turned away counts against our address each time, so it rests as long as the platform counts. */
const FORBIDDEN_REST_MS = 600_000;

/** All tokens, and which of them may make the next request. */
export const createTokenRoster = () => {
  const byBot = new Map<string, PooledToken>();
  const suspicion = createSuspicion();
  const suspects = createRing<PooledToken>();
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

  const retire = (entry: PooledToken): void => {
    entry.place = 'retired';
    if (byBot.get(entry.token.botId) === entry) byBot.delete(entry.token.botId);
  };

  const suspectAll = (): void => {
    schedule = createTokenSchedule<PooledToken>();
    for (const entry of byBot.values()) {
      if (entry.place !== 'ready' && entry.place !== 'waiting') continue;
      entry.place = 'suspect';
      suspects.push(entry);
    }
  };

  const takeReady = (nowMs: number): PooledToken | undefined => {
    for (let due = schedule.popDue(nowMs); due !== undefined; due = schedule.popDue(nowMs))
      schedule.pushReady(due);
    for (let entry = schedule.popReady(); entry !== undefined; entry = schedule.popReady()) {
      if (entry.place === 'retired') continue;
      if (budgetFreeAt(entry.budget, nowMs) <= nowMs) return entry;
      place(entry, nowMs);
    }
    return undefined;
  };

  const takeSuspect = (nowMs: number): PooledToken | undefined => {
    if (suspicion.trialAtMs() > nowMs) return undefined;
    for (let entry = suspects.shift(); entry !== undefined; entry = suspects.shift()) {
      if (entry.place !== 'suspect') continue;
      suspicion.trialSent();
      entry.place = 'on-trial';
      return entry;
    }
    return undefined;
  };

  /** Takes the next token that may send now and counts the request against it. */
  const take = (nowMs: number): PooledToken | undefined => {
    const entry = takeReady(nowMs) ?? takeSuspect(nowMs);
    if (entry === undefined) return undefined;
    spendBudget(entry.budget, nowMs);
    if (entry.place !== 'on-trial') place(entry, nowMs);
    return entry;
  };

  /** Null if nothing was asked after all. True if the answer retired the token. */
  const settle = (
    entry: PooledToken,
    answer: PlatformAnswer<unknown> | null,
    exchange: Exchange,
  ): boolean => {
    const nowMs = exchange.receivedMs;
    applyToBudget(entry.budget, answer, exchange);
    if (entry.place === 'retired') return false;
    const { place: standing } = entry;
    const verdict = verdictOf(answer);
    if (standing === 'on-trial') suspicion.trialEnded(verdict, nowMs);
    if (verdict === 'dead') retire(entry);
    else if (standing !== 'ready' && standing !== 'waiting') place(entry, nowMs);
    if (verdict === 'dead' && standing !== 'on-trial' && standing !== 'suspect' && suspicion.died(nowMs))
      suspectAll();
    return verdict === 'dead';
  };

  const remove = (botId: string, nowMs: number): void => {
    const entry = byBot.get(botId);
    if (entry === undefined) return;
    // Its trial would otherwise never end, and no other suspect be tried.
    if (entry.place === 'on-trial') suspicion.trialEnded('unclear', nowMs);
    entry.place = 'retired';
    byBot.delete(botId);
  };

  return {
    add: (token: BotToken, nowMs: number): void => {
      remove(token.botId, nowMs);
      const entry: PooledToken = { token, budget: createTokenBudget(), place: 'ready', freeAtMs: nowMs };
      byBot.set(token.botId, entry);
      schedule.unshiftReady(entry);
    },
    remove,
    take,
    settle,
    /** When `take` may have something to give. Infinity means: once an answer that is under way is in. */
    freeAtMs: () => Math.min(schedule.nextDueMs(), suspects.size() > 0 ? suspicion.trialAtMs() : Infinity),
    size: () => byBot.size,
    /** True if every token is a suspect. */
    isAllSuspect: () => suspects.size() + (suspicion.trialAtMs() === Infinity ? 1 : 0) >= byBot.size,
    counts: (nowMs: number): RosterCounts => {
      const counts = { healthy: 0, cooling: 0, suspect: 0 };
      for (const entry of byBot.values()) counts[health(entry, nowMs)] += 1;
      return counts;
    },
  };
};

const verdictOf = (answer: PlatformAnswer<unknown> | null): 'alive' | 'dead' | 'unclear' => {
  if (answer === null) return 'unclear';
  if (answer.kind === 'unauthorized' || answer.kind === 'foreign') return 'dead';
  return 'reading' in answer && answer.kind !== 'rate-limited' ? 'alive' : 'unclear';
};

const health = (entry: PooledToken, nowMs: number): 'healthy' | 'cooling' | 'suspect' => {
  if (entry.place === 'suspect' || entry.place === 'on-trial') return 'suspect';
  return entry.budget.coolUntilMs > nowMs ? 'cooling' : 'healthy';
};

const applyToBudget = (
  budget: TokenBudget,
  answer: PlatformAnswer<unknown> | null,
  exchange: Exchange,
): void => {
  settleBudget(budget, exchange, answer !== null && 'reading' in answer ? answer.reading : null);
  if (answer?.kind === 'forbidden') coolBudget(budget, exchange.receivedMs + FORBIDDEN_REST_MS);
  if (answer?.kind !== 'rate-limited') return;
  coolBudget(budget, exchange.receivedMs + answer.retryAfterMs + COOL_MARGIN_MS);
  if (answer.scope === 'user') distrustBudget(budget);
};
