import type { Clock } from '#server/system.ts';
import { connectRedis } from './redis-connection.ts';
import type { RedisClock } from './redis-clock.ts';
import { RedisProblem, toRedisProblem } from './redis-problem.ts';
import { createExamination } from './examine-redis.ts';
import { openSession, type EndOfSession, type OpenSession, type Session } from './session.ts';
import type { StoreAddress } from './store-address.ts';

/** What is new to those who greet. */
export type SessionNews = {
  /** Redis's clock went forward by itself: what was to be kept may be gone. */
  readonly clockLeapt: boolean;
};

export type SessionLifeDeps = {
  readonly clock: Clock;
  readonly address: StoreAddress;
  readonly redisClock: RedisClock;
  readonly onCall: (tookMs: number, outcome: 'answered' | 'failed') => void;
  readonly greet: (session: Session, news: SessionNews) => Promise<unknown>;
  /** Once a second. */
  readonly keepUp: (session: Session) => Promise<unknown>;
  /** Everybody has greeted. */
  readonly onReady: (session: Session) => void;
};

const BEAT_MS = 200;
/** Settings of Redis may change while it runs. */
const BEATS_PER_SECOND = 5;

const ENDINGS: Readonly<Record<EndOfSession, string>> = {
  closed: 'The connection to the shared store was lost',
  silent: 'The shared store does not answer',
  unusable: 'The shared store cannot take writes now',
};

/** From connecting to the end of the connection, and why it ended; one life at a time. */
export const createSessionLife = (deps: SessionLifeDeps) => {
  const { clock, address, redisClock, onCall, greet, keepUp, onReady } = deps;
  const { examine, checkClock } = createExamination({ clock, redisClock });
  let clockLeapt = false;
  let silences = 0;
  let open: OpenSession | undefined;
  let isOver = false;

  const connect = async (): Promise<OpenSession> => {
    let session: OpenSession | undefined;
    const connection = await connectRedis(clock, address, () => session?.end('closed'));
    session = openSession({ clock, connection, onCall });
    return session;
  };

  const beGreeted = async (open: OpenSession): Promise<Session> => {
    const examined = await examine(open);
    clockLeapt ||= examined.clockLeapt;
    const session: Session = {
      runId: examined.report.runId,
      send: open.send,
      call: open.call,
      run: open.run,
    };
    await greet(session, { clockLeapt });
    clockLeapt = false;
    onReady(session);
    return session;
  };

  const beat = async (open: OpenSession, session: Session): Promise<never> => {
    const wait = createBeat(clock, open.ended);
    for (let beats = 1; ; beats += 1) {
      await wait();
      const isFullSecond = beats % BEATS_PER_SECOND === 0;
      const examined = await (isFullSecond ? examine(open) : checkClock(open));
      clockLeapt = examined.clockLeapt;
      if (clockLeapt) throw passing('The clock of the shared store leapt forward');
      if (!isFullSecond) continue;
      silences = 0;
      await keepUp(session);
    }
  };

  return {
    /** How many in a row ended because Redis was silent. */
    silences: () => silences,
    /** For good: also what is only being connected. */
    end: () => {
      isOver = true;
      open?.end('closed');
    },
    live: async (): Promise<RedisProblem> => {
      open = undefined;
      try {
        open = await connect();
        if (isOver) open.end('closed');
        return await beat(open, await beGreeted(open));
      } catch (error) {
        if (open === undefined) return toRedisProblem(error);
        const endedByItself = !open.isOpen();
        open.end('closed');
        const because = await open.ended;
        if (because === 'silent') silences += 1;
        return endedByItself ? passing(ENDINGS[because]) : toRedisProblem(error);
      }
    },
  };
};

const passing = (finding: string): RedisProblem =>
  new RedisProblem(finding, 'see how Redis or Valkey is doing.', { isLasting: false });

/** A wait that the end cuts short. */
const createBeat = (clock: Clock, ended: Promise<unknown>): (() => Promise<void>) => {
  let wake = (): void => {};
  void ended.then(() => wake());
  return () =>
    new Promise((resolve) => {
      const cancel = clock.after(BEAT_MS, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
};
