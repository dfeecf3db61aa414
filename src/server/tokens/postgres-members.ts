import { LEAVE_MS } from '#server/deadlines.ts';
import { MAX_LATE_MS } from '#server/platform/platform-store.ts';
import { numeral, quote } from '#server/storage/postgres/message-pool.ts';
import { sleep, type Clock } from '#server/system.ts';
import type { PostgresSession, Rows } from '#server/storage/postgres/session.ts';
import type { TokenCounts, TokenRow } from './token-store.ts';

type PostgresMembersDeps = {
  readonly clock: Clock;
  readonly session: PostgresSession;
  readonly onChange: () => void;
  readonly isCurrent: () => boolean;
};

/** For so long a request that was granted before may still leave. */
const LEFT_MS = LEAVE_MS + MAX_LATE_MS;
/** A token that was removed is not added again by a server that has not heard of it yet. */
const REMOVED_MS = 60_000;
/** Servers say so often which tokens they have; those that none has named for longer do not count. */
const NAME_ALL_AGAIN_MS = 60_000;
const UNUSED_MS = 150_000;
const FORGOTTEN_MS = 86_400_000;
/** For so long this server asks for its own tokens only, after it found one whose secret it lacks. */
const OWN_ONLY_MS = 10_000;
const MAX_NAMED = 500;
const SWEPT_AT_ONCE = 500;

export const arrayOf = (ids: Iterable<string>): string => `array[${[...ids].map(quote).join()}]::text[]`;

export const createPostgresMembers = (deps: PostgresMembersDeps) => {
  const { clock, session, onChange, isCurrent } = deps;
  const ids = new Set<string>();
  const missing = new Set<string>();
  const beingRemoved = new Set<string>();
  let counts: TokenCounts = { healthy: 0, cooling: 0, suspect: 0 };
  let checkMs = Infinity;
  let ownOnlyUntilMs = -Infinity;
  let nameAllAtMs = -Infinity;

  const addition = (added: Iterable<string>): string => {
    const now = numeral(session.nowMs());
    return `insert into token_state as t (id, free_at, place, changed_at)
      select id, 0, 'usable', ${now} from unnest(${arrayOf(added)}) id
      where ${isCurrent() ? session.timely() : 'false'} on conflict (id) do update set changed_at = excluded.changed_at
      where t.place <> 'removed' and t.changed_at < ${now} - ${NAME_ALL_AGAIN_MS / 2}`;
  };
  const statements = (): string[] => {
    const now = numeral(session.nowMs());
    return [
      addition(missing),
      `select id from token_state where place <> 'removed' and id = any (${arrayOf(missing)})`,
      `select count(*) filter (where place = 'suspect') as suspect,
         min(free_at) filter (where place = 'suspect') as check_at,
         count(*) filter (where place in ('usable', 'away') and cool_until > ${now}) as cooling,
         count(*) filter (where place in ('usable', 'away') and cool_until <= ${now}) as healthy
       from token_state where changed_at > ${now} - ${UNUSED_MS}`,
      'select not exists (select from token_state) as lost',
    ];
  };
  const handle = ([, present = [], [counted = {}] = [], [{ lost } = {}] = []]: readonly Rows[]): void => {
    for (const { id } of present) missing.delete(String(id));
    const { healthy, cooling, suspect, check_at: checkAt } = counted;
    counts = { healthy: Number(healthy), cooling: Number(cooling), suspect: Number(suspect) };
    checkMs = counts.suspect === 0 ? Infinity : Number(checkAt);
    if (lost === true && missing.size === 0 && ids.size > 0) {
      session.recordUnreadable('token_state');
      for (const id of ids) missing.add(id);
    }
    onChange();
  };
  session.onBeat({ statements, handle });

  const total = (): number => counts.healthy + counts.cooling + counts.suspect;

  const takeOut = async (removed: readonly string[]): Promise<void> => {
    await session.insist(() => [
      `insert into token_state (id, free_at, place, changed_at)
       select id, 0, 'removed', ${numeral(session.nowMs())} from unnest(${arrayOf(removed)}) id
       on conflict (id) do update set place = 'removed', record = null, version = token_state.version + 1,
         changed_at = excluded.changed_at`,
    ]);
    for (const id of removed) beingRemoved.delete(id);
  };
  session.onSweep(async () => {
    const now = numeral(session.nowMs());
    await takeOut([...beingRemoved]);
    await session.run([
      `delete from token_state where id in (
         select id from token_state
         where (place = 'removed' and changed_at < ${now} - ${REMOVED_MS}) or changed_at < ${now} - ${FORGOTTEN_MS}
         limit ${SWEPT_AT_ONCE} for update skip locked)`,
    ]);
    if (clock.monotonicMs() < nameAllAtMs || !isCurrent()) return;
    if ((await session.run([addition(ids)])) === null) return;
    nameAllAtMs = clock.monotonicMs() + NAME_ALL_AGAIN_MS;
  });

  return {
    ownOf: <Row extends TokenRow>(rows: readonly Row[]): readonly Row[] => {
      const own = rows.filter(({ id }) => ids.has(id));
      if (own.length < rows.length) ownOnlyUntilMs = clock.monotonicMs() + OWN_ONLY_MS;
      return own;
    },
    among: (): readonly string[] | undefined => {
      if (clock.monotonicMs() >= ownOnlyUntilMs) return undefined;
      const named = [...ids.values().take(MAX_NAMED)];
      // To the end of the order, so that all have their turn.
      for (const id of named) ids.delete(id);
      for (const id of named) ids.add(id);
      return named;
    },
    add: (id: string): void => {
      ids.add(id);
      beingRemoved.delete(id);
      missing.add(id);
      onChange();
    },
    /** Until a beat has found them. */
    additions: (): readonly string[] => (missing.size === 0 ? [] : [addition(missing)]),
    remove: async (id: string): Promise<void> => {
      for (const one of [ids, missing]) one.delete(id);
      beingRemoved.add(id);
      await takeOut([id]);
      await sleep(clock, LEFT_MS);
    },
    /** New ones are healthy until they are found to be something else. */
    counts: (): TokenCounts => ({ ...counts, healthy: counts.healthy + Math.max(0, ids.size - total()) }),
    /** To a server that has none itself, those of others are no use. */
    size: () => ({
      tokens: ids.size === 0 ? 0 : Math.max(ids.size, total()),
      suspects: counts.suspect,
      checkMs,
    }),
  };
};
