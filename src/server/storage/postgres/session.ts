import { AppError, isUnavailable } from '#server/app-error.ts';
import { isWorthAnotherTry, LIMITS, type MessagePool, type Row } from './message-pool.ts';
import { isDefect, StorageFault } from '../storage-fault.ts';
import { createReadRecord } from '../stored-record.ts';
import type { CancelTimer, Clock } from '#server/system.ts';
import { BEGIN_PACE, createSiteClock, LAYOUT, LOOK_AT_PACE } from './site-clock.ts';

export type Rows = readonly Row[];

type BeatPart = {
  readonly statements: () => readonly string[];
  readonly handle: (rows: readonly Rows[]) => void;
};

export type SessionEvents = {
  readonly stateLost: (problem: string) => void;
  readonly stateFound: () => void;
  readonly stateCalled: (tookMs: number, outcome: 'answered' | 'failed') => void;
  readonly layoutChanged: () => void;
  readonly recordUnreadable: (name: string) => void;
  readonly requestFailed: (error: unknown) => void;
};

type PostgresSessionDeps = {
  readonly clock: Clock;
  readonly pool: MessagePool;
  readonly events: SessionEvents;
};

export type PostgresSession = ReturnType<typeof createPostgresSession>;

const BEAT_MS = 1_000;
const BEAT_WHILE_LOST_MS = 250;
const SWEEP_MS = 10_000;
const RETRY_MS = 1_000;
const MOST_TRIES = 4;
/** The class of codes for a full disk, no memory and no connection left. */
const SHORTAGE = '53';

const BEGIN = `set transaction isolation level read committed; ${LIMITS}set local jit = off; `;
/** Takes a page of the disk, as what visitors do may: on a full one the rest of a beat still goes well. */
const TAKE_ROOM = ['create temp table room (page int) on commit drop', 'insert into room values (1)'];

export const createPostgresSession = (deps: PostgresSessionDeps) => {
  const { clock, pool, events } = deps;
  const send = createSend(deps);
  const siteClock = createSiteClock(clock);
  const parts: BeatPart[] = [];
  const sweeps: (() => Promise<unknown>)[] = [];
  let sweepAtMs = -Infinity;
  let isShort = false;
  let problem: string | null = 'not connected yet';
  let beating: Promise<Error | null> | null = null;
  let cancelTimer: CancelTimer = () => {};
  let isStopped = false;

  const readTime = async (before: readonly string[] = []): Promise<void> => {
    const sentMs = clock.monotonicMs();
    const rows = await send([...before, BEGIN_PACE, LOOK_AT_PACE]);
    siteClock.forget();
    siteClock.see(rows.at(-1)?.[0] ?? {}, sentMs);
  };
  const correctTime = (): Promise<void> => readTime([siteClock.correction()]);

  const exchange = async (): Promise<void> => {
    if (isShort) await send(TAKE_ROOM);
    isShort = false;
    if (!siteClock.isKnown()) await readTime();
    const sentMs = clock.monotonicMs();
    const asked = parts.map(({ statements }) => statements());
    const [[pace] = [], _beat, ...rows] = await send([LOOK_AT_PACE, siteClock.beat(), ...asked.flat()]);
    if (pace === undefined) return readTime().finally(() => events.recordUnreadable('pace'));
    if (pace['layout'] !== LAYOUT) events.layoutChanged();
    if (!siteClock.see(pace, sentMs)) return correctTime();
    for (const [n, { handle }] of parts.entries()) handle(rows.splice(0, asked[n]?.length));
    return undefined;
  };

  const sweep = async (): Promise<void> => {
    if (clock.monotonicMs() < sweepAtMs) return;
    sweepAtMs = clock.monotonicMs() + SWEEP_MS;
    await doEach(sweeps, events);
  };

  const beatOnce = async (): Promise<Error | null> => {
    const fault = await exchange().then(
      () => null,
      (error: Error) => error,
    );
    beating = null;
    const before = problem;
    problem = fault === null ? null : fault.message;
    if (before === null && problem !== null) events.stateLost(problem);
    if (before !== null && problem === null) events.stateFound();
    if (fault === null) void sweep();
    if (!isStopped)
      cancelTimer = clock.after(fault === null ? BEAT_MS : BEAT_WHILE_LOST_MS, () => void beat());
    return fault;
  };
  const beat = (): Promise<Error | null> => {
    cancelTimer();
    beating ??= beatOnce();
    return beating;
  };

  const use = async <T>(work: () => Promise<T>): Promise<T> => {
    if (problem !== null) throw unavailable(problem);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error;
      isShort ||= error.code.startsWith(SHORTAGE);
      if (!isWorthAnotherTry(error)) void beat();
      throw unavailable(error);
    }
  };

  /** Null if others were in the way, and nothing was done. */
  const run = (statements: readonly string[]): Promise<readonly Rows[] | null> =>
    use(async () => {
      const sentMs = clock.monotonicMs();
      const rows = await send(statements).catch(nullIfWorthAnotherTry);
      const pace = rows?.flat().find((row) => 'raw' in row && 'shift' in row);
      if (pace !== undefined && !siteClock.see(pace, sentMs)) await correctTime();
      return rows;
    });

  return {
    nowMs: siteClock.nowMs,
    timely: siteClock.timely,
    use,
    problem: () => problem,
    run,
    unavailable,
    recordUnreadable: events.recordUnreadable,
    readRecord: createReadRecord(events.recordUnreadable),
    insist: insistOn(run),
    onBeat: (part: BeatPart): void => void parts.push(part),
    onSweep: (one: () => Promise<unknown>): void => void sweeps.push(one),
    beat,
    start: async (): Promise<void> => {
      const fault = await beat();
      if (fault !== null) throw fault;
    },
    close: async (): Promise<void> => {
      isStopped = true;
      cancelTimer();
      await pool.end();
    },
  };
};

const doEach = async (sweeps: readonly (() => Promise<unknown>)[], events: SessionEvents): Promise<void> => {
  for (const one of sweeps)
    await one().catch((error: unknown) => isUnavailable(error) || events.requestFailed(error));
};

const createSend =
  ({ clock, pool, events }: PostgresSessionDeps) =>
  async (statements: readonly string[]): Promise<readonly Rows[]> => {
    const sentMs = clock.monotonicMs();
    let outcome: 'answered' | 'failed' = 'failed';
    try {
      const rows = await pool.send(BEGIN + statements.join('; '));
      outcome = 'answered';
      return rows.slice(4);
    } catch (error) {
      if (isDefect(error)) events.requestFailed(error);
      throw error;
    } finally {
      events.stateCalled(clock.monotonicMs() - sentMs, outcome);
    }
  };

/** Somebody waits for it: PostgreSQL that ends statements so often cannot be used. */
const insistOn =
  (run: (statements: readonly string[]) => Promise<readonly Rows[] | null>) =>
  async (statements: () => readonly string[]): Promise<readonly Rows[]> => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const rows = await run(statements());
      if (rows !== null) return rows;
    }
    throw unavailable('others were in the way');
  };

const unavailable = (cause: unknown): AppError =>
  new AppError('store-unavailable', { retryAfterMs: RETRY_MS, cause });

const nullIfWorthAnotherTry = (error: unknown): null => {
  if (!isWorthAnotherTry(error)) throw error;
  return null;
};
