import { FLIGHT_MS, POLL_MS } from '#server/deadlines.ts';
import { numeral, quote, RAW_MS, type Row } from '#server/storage/postgres/message-pool.ts';
import { isLike } from '#server/storage/stored-record.ts';
import type { System } from '#server/system.ts';
import { NO_SUSPICION, type Suspicion } from './suspicion.ts';
import { isTokenRecord, stateOf, type TokenRecord, type TokenState } from './token-rules.ts';
import type { Look, TokenRow, TokenStore } from './token-store.ts';
import { arrayOf, createPostgresMembers } from './postgres-members.ts';
import type { PostgresSession, Rows } from '#server/storage/postgres/session.ts';

type StoredRow = TokenRow & { readonly version: number };

const FRESH_MS = 100;
const CANDIDATES = 8;

const READ_SUSPICION = `select x.raw, p.shift, s.record
  from standing s, pace p cross join lateral (select ${RAW_MS} as raw) x where s.who = 'tokens' and p.one`;

export const createPostgresTokenStore = (
  { clock, random }: System,
  session: PostgresSession,
  isCurrent: () => boolean,
): TokenStore => {
  let changed = (): void => {};
  const members = createPostgresMembers({ clock, session, onChange: () => changed(), isCurrent });
  /** What this server has written last: the answer that comes next finds it so, as a rule. */
  const written = new Map<string, StoredRow>();
  let free: { readonly rows: readonly StoredRow[]; readonly atMs: number } | null = null;
  let first = { freeAtMs: 0, isAnyAway: false };
  let suspicion: Suspicion = NO_SUSPICION;
  let suspicionText = '';

  const readStatement = (look: Look): string =>
    `select x.raw, p.shift, t.*, exists (select from token_state where place = 'away') as any_away
     from pace p cross join lateral (select ${RAW_MS} as raw) x left join lateral (
       select id, version, record, free_at, place from token_state ${tokensFor(look, members.among(), session.nowMs())}) t on true
     where p.one`;
  const rowsOf = (look: Look, rows: Rows): readonly StoredRow[] => {
    const nowMs = session.nowMs();
    const all = rows.flatMap((row) => (row['id'] === null ? [] : [toRow(session, row, nowMs)]));
    // Another server has written since.
    for (const { id, version } of all)
      if ((written.get(id)?.version ?? version) < version) written.delete(id);
    const own = typeof look === 'object' && 'id' in look ? all : members.ownOf(all);
    if (look === 'free')
      first = { freeAtMs: own[0]?.freeAtMs ?? Infinity, isAnyAway: rows[0]?.['any_away'] === true };
    return own;
  };

  const isFresh = ({ rows, atMs }: NonNullable<typeof free>): boolean =>
    clock.monotonicMs() - atMs < FRESH_MS && rows.some(({ freeAtMs }) => freeAtMs <= session.nowMs());

  const keepSuspicion = ([row = {}]: Rows): void => {
    suspicionText = typeof row['record'] === 'string' ? row['record'] : '';
    suspicion = session.readRecord('standing.tokens', suspicionText, isSuspicion, NO_SUSPICION);
  };
  session.onBeat({ statements: () => [READ_SUSPICION], handle: ([rows = []]) => keepSuspicion(rows) });

  return {
    nowMs: session.nowMs,
    onChange: (listener) => void (changed = listener),
    add: members.add,
    remove: members.remove,
    read: async (look) => {
      const known = typeof look === 'object' && 'id' in look ? written.get(look.id) : undefined;
      if (known !== undefined) return [known];
      const isComplete = members.additions().length === 0;
      if (look === 'free' && free !== null && isFresh(free) && isComplete) return free.rows;
      const results = await session.insist(() => [...members.additions(), readStatement(look)]);
      const rows = rowsOf(look, results.at(-1) ?? []);
      if (look === 'free') free = { rows, atMs: clock.monotonicMs() };
      return rows;
    },
    write: async (row, next) => {
      const { id, version } = row as StoredRow;
      const isOfFree = free?.rows.includes(row as StoredRow) === true;
      const results = await session.insist(() => [
        `with t as (select id from token_state where id = ${quote(id)} and version = ${version} for update skip locked)
         update token_state s set ${nextText(next, session.nowMs())} from t
         where s.id = t.id and ${session.timely()} returning 1 as written`,
        ...(isOfFree ? [readStatement('free')] : []),
      ]);
      const isWritten = results[0]?.[0] !== undefined;
      if (isWritten && next !== null) written.set(id, { ...next, version: version + 1 });
      else written.delete(id);
      if (!isOfFree) return isWritten;
      const rows = rowsOf('free', results[1] ?? []);
      // After a collision servers choose at random, or they would meet again at the next token.
      const by = isWritten ? 0 : random.integer(Math.max(1, rows.length));
      free = { rows: [...rows.slice(by), ...rows.slice(0, by)], atMs: clock.monotonicMs() };
      return isWritten;
    },
    writeSuspicion: async (known, next) => {
      if (known !== suspicion) return false;
      // Not what a look brings meanwhile: it would be overwritten unread.
      const knownText = quote(suspicionText);
      const [[done] = [], rows = []] = await session.insist(() => [
        `insert into standing select 'tokens', ${quote(JSON.stringify(next))} where ${session.timely()}
         on conflict (who) do update set record = excluded.record where standing.record = ${knownText}
         returning 1 as written`,
        READ_SUSPICION,
      ]);
      keepSuspicion(rows);
      return done !== undefined;
    },
    suspectAll: async (ids, areThese) => {
      await session.insist(() => [suspectStatement(ids, areThese, session.nowMs())]);
      free = null;
      written.clear();
    },
    suspicion: () => suspicion,
    tokenWait: () => {
      const waitMs = first.freeAtMs - session.nowMs();
      return { waitMs: first.isAnyAway ? Math.min(waitMs, POLL_MS) : waitMs, mayBeSooner: first.isAnyAway };
    },
    size: members.size,
    counts: members.counts,
    states: () => readStates(session),
  };
};

const tokensFor = (look: Look, among: readonly string[] | undefined, nowMs: number): string => {
  if (typeof look === 'object' && 'id' in look) return `where id = ${quote(look.id)} and place <> 'removed'`;
  const own = among === undefined ? '' : `and id = any (${arrayOf(among)})`;
  if (look === 'free') return `where place in ('usable', 'away') ${own} order by free_at limit ${CANDIDATES}`;
  const isLater = `free_at > ${numeral(nowMs)}`;
  const order = `${isLater}, (not ${isLater} and id = any (${arrayOf(look.suspectsAfter)})) desc, free_at`;
  return `where place = 'suspect' ${own} order by ${order} limit ${CANDIDATES}`;
};

const suspectStatement = (ids: readonly string[], areThese: boolean, nowMs: number): string =>
  `update token_state set place = 'suspect', free_at = 0, version = version + 1, changed_at = ${numeral(nowMs)}
   where id in (select id from token_state
     where place = 'usable' and (id = any (${arrayOf(ids)})) = ${areThese} order by id for update)`;

const isSuspicion = (record: unknown): boolean => isLike(record, NO_SUSPICION);

const readToken = ({ readRecord }: PostgresSession, text: unknown): TokenRecord | null =>
  readRecord<TokenRecord | null>('token_state', text, isTokenRecord, null);

const toRow = (
  session: PostgresSession,
  { id, version, record, free_at, place }: Row,
  nowMs: number,
): StoredRow => ({
  id: String(id),
  version: Number(version),
  record: readToken(session, record),
  // By then the answers that it waits for can no longer come.
  freeAtMs: place === 'away' && Number(free_at) > nowMs ? Infinity : Number(free_at),
  isSuspect: place === 'suspect',
});

const REMOVED = `place = 'removed', record = null, version = s.version + 1`;

const nextText = (next: TokenRow | null, nowMs: number): string =>
  `${next === null ? REMOVED : rowText(next)}, changed_at = ${numeral(nowMs)}`;

const rowText = ({ record, freeAtMs, isSuspect }: TokenRow): string => {
  const isAway = freeAtMs === Infinity;
  // If all of its answers are lost, with their servers, it is free when they can no longer come.
  const free = isAway ? Math.min(...(record?.inFlightMs ?? [])) + FLIGHT_MS : freeAtMs;
  return `place = '${isSuspect ? 'suspect' : isAway ? 'away' : 'usable'}',
    record = ${record === null ? 'null' : quote(JSON.stringify(record))}, version = s.version + 1,
    free_at = ${numeral(free)}, cool_until = ${numeral(record?.coolUntilMs ?? 0)}`;
};

const readStates = async (session: PostgresSession): Promise<ReadonlyMap<string, TokenState>> => {
  const text = `select id, record, place from token_state where place <> 'removed'`;
  const [rows = []] = await session.insist(() => [text]);
  const nowMs = session.nowMs();
  return new Map(
    rows.map(({ id, record, place }) => [
      String(id),
      stateOf(readToken(session, record), place === 'suspect', nowMs),
    ]),
  );
};
