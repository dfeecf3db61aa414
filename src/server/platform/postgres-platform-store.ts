import { PERMIT_MS } from '#server/deadlines.ts';
import { sendIntervalMs, SHARED_JITTER_MS, type PlatformStore } from './platform-store.ts';
import { isStanding, NEW_STANDING, type Standing } from './standing.ts';
import { numeral, quote, RAW_MS } from '#server/storage/postgres/message-pool.ts';
import type { PostgresSession, Rows } from '#server/storage/postgres/session.ts';

/** Hides the way to PostgreSQL: a slot that lies ahead is not over when its answer arrives. */
const LOOK_AHEAD_MS = 100;

/** Before the clock is read: it may have to be waited for. */
const LOCK_PACE = 'select from pace where one for update';

export const createPostgresPlatformStore = (session: PostgresSession, perSecond: number): PlatformStore => {
  const intervalMs = sendIntervalMs(perSecond, SHARED_JITTER_MS);
  let standing = NEW_STANDING;
  let version = -1;
  let tatMs = -Infinity;

  const readStatement = (): string =>
    `select x.raw, p.shift, p.tat, p.standing, s.record
     from pace p cross join lateral (select ${RAW_MS} as raw) x
     left join standing s on s.who = 'platform' and p.standing <> ${version} where p.one`;
  const handle = ([row = {}]: Rows): void => {
    tatMs = Number(row['tat']);
    const seen = Number(row['standing']);
    // An answer may be overtaken by a later one; without a row there is none.
    if (!(seen > version)) return;
    version = seen;
    standing = session.readRecord('standing.platform', row['record'], isStanding, NEW_STANDING);
  };
  session.onBeat({ statements: () => [readStatement()], handle: ([rows = []]) => handle(rows) });

  const slotStatement = (known: number): string =>
    `with p as materialized (
       select case when tat between now and now + ${LOOK_AHEAD_MS} then tat else now end as slot
       from pace cross join lateral (select ${RAW_MS} as raw) x cross join lateral (select x.raw + shift as now) y
       where one and standing = ${known} and ${session.timely('x.raw')}
         -- A time that is farther ahead is from a wrong clock.
         and (tat <= now + ${LOOK_AHEAD_MS} or tat > now + ${PERMIT_MS}))
     update pace set tat = p.slot + ${numeral(intervalMs)} from p where one returning p.slot`;
  const writeStatement = (known: number, next: Standing): string =>
    `with p as (update pace set standing = standing + 1 where one and standing = ${known} and ${session.timely()}
       returning 1)
     insert into standing select 'platform', ${quote(JSON.stringify(next))} from p
     on conflict (who) do update set record = excluded.record returning 1 as written`;

  return {
    nowMs: session.nowMs,
    standing: () => standing,
    slotWaitMs: () => {
      const waitMs = tatMs - LOOK_AHEAD_MS - session.nowMs();
      return waitMs > PERMIT_MS ? 0 : waitMs;
    },
    takeSlot: async (known) => {
      if (known !== standing) return null;
      // A try that fails may be repeated, but not under a standing that nobody has looked at.
      const seen = version;
      const [, [taken] = [], rows = []] = await session.insist(() => [
        LOCK_PACE,
        slotStatement(seen),
        readStatement(),
      ]);
      handle(rows);
      return taken === undefined ? null : Number(taken['slot']);
    },
    write: async (known, next) => {
      if (known !== standing) return false;
      const seen = version;
      const [[written] = [], rows = []] = await session.insist(() => [
        writeStatement(seen, next),
        readStatement(),
      ]);
      handle(rows);
      return written !== undefined;
    },
  };
};
