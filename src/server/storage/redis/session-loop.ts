import { AppError } from '#server/app-error.ts';
import { keepAliveSleep, sleep, type Clock } from '#server/system.ts';
import { createExamination } from './examine-redis.ts';
import type { RedisClock } from './redis-clock.ts';
import { lastingProblem, RedisProblem, toRedisProblem } from './redis-problem.ts';
import { connectSession, type EndOfSession, type OpenSession, type Session } from './session.ts';
import type { StoreAddress } from './store-address.ts';

/** What a handshake must know. */
export type SessionNews = {
  /** Redis's clock leapt and stays where it is: times from before mean nothing. */
  readonly clockLeapt: boolean;
};

export type SessionLoopDeps = {
  readonly clock: Clock;
  readonly address: StoreAddress;
  readonly redisClock: RedisClock;
  readonly onCall: (tookMs: number, outcome: 'answered' | 'failed') => void;
  readonly handshake: (session: Session, news: SessionNews) => Promise<unknown>;
  readonly everySecond: (session: Session) => Promise<unknown>;
  /** The handshake is done. */
  readonly onReady: (session: Session) => void;
  readonly onLost: (problem: RedisProblem) => void;
  /** A part failed in a way that neither Redis nor the network explains. Told once, not with every attempt. */
  readonly onFailed: (error: unknown) => void;
};

const BEAT_MS = 200;
/** Settings of Redis may change while it runs. */
const BEATS_PER_SECOND = 5;
const RETRY_STEP_MS = 50;
const MAX_RETRY_MS = 500;
/** A Redis that does its handshake and then falls silent would make every visitor wait for it. */
const MAX_SILENCES = 3;
const PAUSE_MS = 1_000;

const ENDINGS: Readonly<Record<EndOfSession, string>> = {
  closed: 'The connection to the shared store was lost',
  silent: 'The shared store does not answer',
  unusable: 'The shared store cannot take writes now',
  leapt: 'The clock of the shared store leapt',
  spoilt: 'Somebody else has written to our keys in the shared store',
};

/** One session after the other: connect, handshake, heartbeat until it ends, wait, connect again. */
export const createSessionLoop = (deps: SessionLoopDeps) => {
  const { clock, redisClock, handshake, everySecond, onReady, onLost, onFailed } = deps;
  const { examine, checkClock } = createExamination({ clock, redisClock });
  let open: OpenSession | undefined;
  let clockLeapt = false;
  let wasEverReady = false;
  let failures = 0;
  /** How many sessions in a row ended because Redis was silent. */
  let silences = 0;
  let isStopped = false;
  let lastFailure = '';

  const begin = async ({ send, run }: OpenSession, runId: string): Promise<Session> => {
    const session: Session = { runId, send, run };
    await handshake(session, { clockLeapt });
    clockLeapt = false;
    failures = 0;
    lastFailure = '';
    wasEverReady = true;
    onReady(session);
    return session;
  };

  const keepAlive = async (opened: OpenSession, session: Session): Promise<never> => {
    for (let beats = 1; ; beats += 1) {
      await nextBeat(clock, opened.ended);
      const isFullSecond = beats % BEATS_PER_SECOND === 0;
      ({ clockLeapt } = await (isFullSecond ? examine(opened) : checkClock(opened)));
      if (clockLeapt) opened.end('leapt');
      if (!isFullSecond) continue;
      silences = 0;
      await everySecond(session);
    }
  };

  const explain = (error: unknown): RedisProblem => {
    if (open === undefined) return toRedisProblem(error);
    if (open.ended.aborted) return passing(ENDINGS[open.ended.reason as EndOfSession]);
    if (error instanceof AppError) return passing(ENDINGS.unusable);
    const known = lastingProblem(error);
    if (known !== null) return known;
    if (String(error) !== lastFailure) onFailed(error);
    lastFailure = String(error);
    return passing('The handshake with the shared store failed');
  };

  /** Until it ends, and why it did. */
  const useOneSession = async (): Promise<RedisProblem> => {
    open = undefined;
    try {
      open = await connectSession(deps);
      if (isStopped) open.end('closed');
      const { info, ...examined } = await examine(open);
      clockLeapt ||= examined.clockLeapt;
      return await keepAlive(open, await begin(open, info.runId));
    } catch (error) {
      const problem = explain(error);
      open?.end('closed');
      if (open?.ended.reason === 'silent') silences += 1;
      return problem;
    }
  };

  return {
    run: async (): Promise<void> => {
      for (;;) {
        onLost(await useOneSession());
        if (isStopped) return;
        failures += 1;
        const backoffMs = Math.min(failures * RETRY_STEP_MS, MAX_RETRY_MS);
        const delayMs = silences >= MAX_SILENCES ? PAUSE_MS : backoffMs;
        await (wasEverReady ? sleep(clock, delayMs) : keepAliveSleep(delayMs));
        if (isStopped) return;
      }
    },
    /** For good: also what is only being connected. */
    stop: (): void => {
      isStopped = true;
      open?.end('closed');
    },
  };
};

const passing = (finding: string): RedisProblem =>
  new RedisProblem(finding, 'see how Redis or Valkey is doing.', { isLasting: false });

/** A wait that the end of the session cuts short. */
const nextBeat = (clock: Clock, ended: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      cancel();
      ended.removeEventListener('abort', go);
      resolve();
    };
    const cancel = clock.after(BEAT_MS, go);
    ended.addEventListener('abort', go);
    if (ended.aborted) go();
  });
