import { FLIGHT_MS, PERMIT_MS } from '#server/deadlines.ts';
import { numeral, quote, RAW_MS } from '#server/storage/postgres/message-pool.ts';
import type { Change, Look, TokenWrite } from '../token-store.ts';

type ReadOptions = {
  readonly knownStanding: number;
  readonly among: readonly string[] | undefined;
};

const CANDIDATES = 8;

const tokensFor = (look: Look, among: ReadOptions['among']): string => {
  if (look === 'none') return 'where false';
  if (typeof look === 'object') return `where id = ${quote(look.id)} and place <> 'removed'`;
  const own = among === undefined ? '' : `and id = any (array[${among.map(quote).join()}]::text[])`;
  return look === 'free'
    ? `where place in ('usable', 'away') ${own} order by free_at limit ${CANDIDATES}`
    : `where place = 'suspect' ${own} order by free_at limit ${CANDIDATES}`;
};

export const readStatement = (look: Look, { knownStanding, among }: ReadOptions): string =>
  `select x.raw, p.shift, p.tat, p.standing, s.record as standing_record, t.*,
     exists (select from token_state where place = 'away') as any_away
   from pace p cross join lateral (select ${RAW_MS} as raw) x
   left join standing s on s.who = 'all' and p.standing <> ${knownStanding}
   left join lateral (
     select id, version, record, free_at, place from token_state ${tokensFor(look, among)}
   ) t on true
   where p.one`;

type ApplyOptions = {
  readonly timely: (raw: string) => string;
  readonly nowMs: number;
  readonly intervalMs: number;
  readonly lookAheadMs: number;
};

/** Returns a row, with the slot, if everything was as the decision supposed. Locks tokens first, then the pace. */
export const applyStatement = (change: Change, options: ApplyOptions): string => {
  const { token, standing, isSend = false } = change;
  if (token !== undefined && standing === undefined && !isSend) return answerStatement(token, options);
  const changes = [
    isSend && `tat = p.slot + ${numeral(options.intervalMs)}`,
    `standing = standing + ${standing === undefined ? 0 : 1}`,
  ];
  return `with ${partsOf(change, options).join(', ')}
    update pace set ${changes.filter(Boolean).join(', ')} from p where pace.one returning p.slot`;
};

const partsOf = (change: Change, options: ApplyOptions): string[] => {
  const { token, standing, suspectAll = false } = change;
  const id = quote(token?.row.id ?? '');
  const gate = `p as materialized (${gateText(change, options)})`;
  const locks = [
    token && `t as materialized (${lockOf(token)})`,
    suspectAll &&
      `m as materialized (select id from token_state where place = 'usable' order by id for update)`,
  ];
  const writes = [
    suspectAll &&
      `u as (update token_state set place = 'suspect', free_at = 0, version = version + 1, changed_at = p.now
        from p where place = 'usable' and id <> ${id})`,
    token && `a as (update token_state set ${writeText(token, 'p.now')} from p where id = ${id})`,
    standing &&
      `s as (update standing set record = ${quote(JSON.stringify(standing))} from p where who = 'all')`,
  ];
  return [...locks, gate, ...writes].filter((part) => typeof part === 'string');
};

const answerStatement = (token: TokenWrite, { timely, nowMs }: ApplyOptions): string =>
  `with p as materialized (select ${RAW_MS} as raw, ${numeral(nowMs)}::float8 as now)
   update token_state set ${writeText(token, 'p.now')} from p
   where id = ${quote(token.row.id)} and version = ${token.row.version} and ${timely('p.raw')}
   returning p.now as slot`;

const lockOf = ({ row }: TokenWrite): string =>
  `select id from token_state where id = ${quote(row.id)} and version = ${row.version} for update skip locked`;

/** The clock depends on the row, so that it is read again if the row had to be waited for. */
const gateText = (change: Change, { timely, lookAheadMs }: ApplyOptions): string => {
  const now = '(x.raw + pace.shift)';
  const before = [change.token && 't', change.suspectAll === true && '(select count(*) from m) m', 'pace'];
  const conditions = [
    'pace.one',
    `pace.standing = ${change.view.standingVersion}`,
    timely('x.raw'),
    // A time that is farther ahead is from a wrong clock.
    change.isSend === true && `(pace.tat <= ${now} + ${lookAheadMs} or pace.tat > ${now} + ${PERMIT_MS})`,
  ];
  return `select ${now} as now,
      case when pace.tat between ${now} and ${now} + ${lookAheadMs} then pace.tat else ${now} end as slot
    from ${before.filter(Boolean).join(' cross join ')}
      cross join lateral (select ${RAW_MS} + 0 * pace.tat as raw) x
    where ${conditions.filter(Boolean).join(' and ')} for update of pace`;
};

const PLACES = { suspect: 'suspect', gone: 'removed' } as const;

const writeText = (write: TokenWrite, now: string): string => {
  const { record, freeAtMs, place } = write;
  const isAway = freeAtMs === Infinity;
  // If all of its answers are lost, with their servers, it is free when they can no longer come.
  const free = isAway ? Math.min(...(record?.inFlightMs ?? [])) + FLIGHT_MS : freeAtMs;
  return `version = version + 1, record = ${record === null ? 'null' : quote(JSON.stringify(record))},
    free_at = ${numeral(free)}, cool_until = ${numeral(record?.coolUntilMs ?? 0)},
    place = ${quote(place === 'in-use' ? (isAway ? 'away' : 'usable') : PLACES[place])}, changed_at = ${now}`;
};
