import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { STATEMENT_MS } from '#server/deadlines.ts';
import type { Database } from '#server/storage/database.ts';
import { faultOf } from '#server/storage/postgres/message-pool.ts';
import type { MessagePool } from '#server/storage/postgres/message-pool.ts';
import type { Schema } from '#server/storage/schema.ts';
import { StorageFault } from '#server/storage/storage-fault.ts';
import type { Engine } from './engine.ts';
import { BEGIN_MS, type Host, type Nature } from './schedule.ts';

/** How bad the way to PostgreSQL is: chances, from 0 to 1. */
export type Weather = Readonly<Record<'lost' | 'late' | 'deadly' | 'refused' | 'slowMs', number>>;
export const FINE: Weather = { lost: 0, late: 0, deadly: 0, refused: 0, slowMs: 2 };

/** As long as the real connections wait for an answer. */
const MESSAGE_MS = STATEMENT_MS + 500;
const RECORD_MS = 6_000;
const IDLE_TRANSACTION_MS = 10_000;
const LATE_MS = 20_000;
const REFUSALS = ['57014', '40P01', '55P03', '53300'];

export type Postgres = ReturnType<typeof createPostgres>;

/** What servers take for PostgreSQL: the real one, asked one statement at a time, with the world's clock and faults. */
export const createPostgres = ({ schedule, dice, tell }: Nature, engine: Engine) => {
  const waiting: (() => Promise<void>)[] = [];
  let holder: object | null = null;
  let [aheadMs, stalledUntilMs, downs] = [0, 0, 0];
  let weather = FINE;
  /** The process: what was sent to another is lost. */
  let begun = { atMs: 0 };
  const upTo = (ms: number): number => dice.below(10 * ms + 1) / 10;

  const execute = (text: string, values?: readonly unknown[]) => {
    const seconds = (ms: number): string => `to_timestamp(${((BEGIN_MS + ms) / 1_000).toFixed(6)})`;
    const timed = text
      .replaceAll('clock_timestamp()', seconds(schedule.nowMs() + aheadMs))
      .replaceAll('pg_postmaster_start_time()', seconds(begun.atMs));
    return engine.query(timed, values);
  };
  const letNextIn = (): void => {
    holder = null;
    for (const enter of waiting.splice(0)) schedule.in(0, enter);
  };
  const rollBack = async (owner: object | null): Promise<void> => {
    if (owner === null || holder !== owner) return;
    await engine.query('rollback');
    letNextIn();
  };

  /** What becomes of one message. The harm that is done to a host excuses it. */
  const fateOf = (host: Host) => {
    const isLate = dice.chance(weather.late);
    const lost = dice.chance(weather.lost) ? dice.pick(['question', 'answer'] as const) : null;
    const refusal = dice.chance(weather.refused) ? dice.pick(REFUSALS) : null;
    const deadly = dice.chance(weather.deadly) ? dice.pick(['before', 'after'] as const) : null;
    if (isLate || lost !== null || refusal !== null || weather.slowMs > FINE.slowMs) host.harm();
    const toMs = upTo(isLate ? LATE_MS : weather.slowMs);
    return { lost, refusal, deadly, toMs, backMs: upTo(weather.slowMs) };
  };

  type Work<T> = (isGivenUp: boolean) => Promise<T>;
  type Question = { readonly host: Host; readonly owner: object; readonly text: string; patienceMs: number };
  /** One statement on its way there and back. */
  const ask = <T>({ host, owner, text, patienceMs }: Question, work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      const { lost, refusal, deadly, toMs, backMs } = fateOf(host);
      const sentTo = begun;
      let isGivenUp = false;
      const fail = (code: string): void => reject(new StorageFault(code));
      const answer = (end: () => void): void => void (lost === 'answer' || host.run(backMs, end));
      const arrive = async (): Promise<void> => {
        if (schedule.nowMs() < stalledUntilMs) return void schedule.at(stalledUntilMs, arrive);
        if (downs > 0 || sentTo !== begun) return answer(() => fail('ECONNRESET'));
        if (holder !== null && holder !== owner) return void waiting.push(arrive);
        if (refusal !== null) return answer(() => fail(refusal));
        if (deadly === 'before') return host.kill();
        tell(host.name, beginningOf(text));
        const end = await work(isGivenUp || !host.isAlive()).then(
          (value) => () => resolve(value),
          (error: Error) => () => reject(faultOf(error)),
        );
        return deadly === 'after' ? host.kill() : answer(end);
      };
      host.run(patienceMs, () => {
        isGivenUp = true;
        fail('no-answer');
      });
      if (lost !== 'question') schedule.in(toMs, arrive);
    });

  const connect = (host: Host): PostgresPoolClient => {
    const owner = {};
    let isOpen = false;
    host.onDeath(() => void schedule.in(0, () => rollBack(owner)));
    const query = async (text: string, values: readonly unknown[] = []) => {
      try {
        return await ask({ host, owner, text, patienceMs: RECORD_MS }, async (isGivenUp) => {
          // Its connection is closed.
          if (text === 'begin' ? isGivenUp : isOpen && holder !== owner) throw new StorageFault('25P03');
          const result = await execute(text, values);
          if (text === 'begin') schedule.in(IDLE_TRANSACTION_MS, () => rollBack(owner));
          if (text === 'begin') holder = owner;
          else if (text === 'commit' || text === 'rollback') letNextIn();
          isOpen = holder === owner;
          return result;
        });
      } catch (error) {
        if (isOpen) schedule.in(0, () => rollBack(owner));
        throw error;
      }
    };
    return { query: query as unknown as PostgresPoolClient['query'], release: () => {} };
  };

  /** It ends at once; another takes its place, or it starts again, with what `recover` leaves. */
  const end = async (downMs: number, recover: () => Promise<unknown>): Promise<void> => {
    downs += 1;
    await rollBack(holder);
    schedule.in(downMs, async () => {
      await recover();
      begun = { atMs: schedule.nowMs() };
      downs -= 1;
    });
  };

  return {
    messagesFor: (host: Host): MessagePool => ({
      send: (text) =>
        ask({ host, owner: {}, text, patienceMs: MESSAGE_MS }, async () =>
          [await execute(text)].flat().map(({ rows }) => rows),
        ),
      end: async () => {},
    }),
    recordsFor: (host: Host): Database => {
      const pool: PostgresPool = { connect: async () => connect(host), end: async () => {}, options: {} };
      return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    },
    /** A replica takes over: what was written in the last `lagMs`, until then, is forgotten. */
    promote: (lagMs: number, downMs: number): void => {
      schedule.in(0, engine.remember);
      schedule.in(lagMs, () => end(downMs, engine.promote));
    },
    crash: (downMs: number): void => void schedule.in(0, () => end(downMs, engine.emptyUnlogged)),
    restart: (downMs: number): void => void schedule.in(0, () => end(downMs, async () => {})),
    stall: (ms: number): void => void (stalledUntilMs = schedule.nowMs() + ms),
    setClockAhead: (ms: number): void => void (aheadMs = ms),
    setWeather: (next: Weather): void => void (weather = next),
  };
};

/** For the story. */
const beginningOf = (text: string): string =>
  text
    .slice(0, 400)
    .replace(/^(?:set [^;]*;\s*)+/, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 70);
