import { PERMIT_KEYS } from '#server/platform/permit-store/permit-scripts.ts';
import type { EpochKeys } from '#server/platform/permit-store/epoch.ts';
import { LEAP_MS } from '#server/storage/redis/redis-clock.ts';
import { FLIGHT_MS } from '#server/deadlines.ts';
import { LONGEST_PAUSE_MS, NO_SUSPICION } from '../rules/suspicion.ts';
import type { TokenRecord } from '../rules/token-record.ts';
import type { TakenToken } from './token-store.ts';

/**
 * `usable`, `away`, `cooling`, `suspects`, `removed` are sorted sets of token ids. `usable`: score = from when it may be
 * taken, or until when it is locked. `away`: only one of its answers can free it; score = when to stop waiting for that.
 * `cooling`: those of both that rest; score = until when. `suspects`, `removed`: score = since when. `records` (hash): what
 * is known of each token, which only the nodes can read. `suspicion` (hash): the suspicion as `record`, and until when a
 * check is waited for as `checkUntil`.
 */
const TOKEN_KEYS = {
  gate: PERMIT_KEYS.gate,
  usable: '{t}usable',
  away: '{t}away',
  cooling: '{t}cooling',
  suspects: '{t}suspects',
  records: '{t}records',
  removed: '{t}removed',
  suspicion: '{t}suspicion',
} as const;

export type TokenKeys = Readonly<Record<keyof typeof TOKEN_KEYS, string>>;

/** With the prefix of this site. */
export const tokenKeys = (key: (name: string) => string): TokenKeys => {
  const named = Object.entries(TOKEN_KEYS).map(([name, plain]) => [name, key(plain)]);
  return Object.fromEntries(named) as TokenKeys;
};

export const TOKEN_KEY_NAMES = [
  'gate',
  'usable',
  'away',
  'cooling',
  'suspects',
  'records',
  'removed',
  'suspicion',
] as const;

const HASHES: ReadonlySet<string> = new Set(['gate', 'records', 'suspicion'] satisfies (keyof TokenKeys)[]);

/** All of it ends with the epoch. */
export const tokenEpochKeys = (keys: TokenKeys): EpochKeys =>
  Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [key, HASHES.has(name) ? 'hash' : 'zset'] as const),
  );

/** To the microsecond, and never earlier: what a script takes for free must be free by the rules too. */
export const toScore = (atMs: number): string => (Math.ceil(Math.max(0, atMs) * 1_000) / 1_000).toFixed(3);

/** Every script that follows from what a node has learned begins with this. */
export const IN_EPOCH = `
if redis.call('HGET', gate, 'epoch') ~= epoch then return {'stale-epoch'} end`;

/** `moreArgs` are the only tokens that the node may take; without any it may take all. */
export const FIRST_OF = `
local function firstOf(place)
  if #moreArgs == 0 then return unpack(redis.call('ZRANGE', place, 0, 0, 'WITHSCORES')) end
  local first, least
  for n, score in ipairs(redis.call('ZMSCORE', place, unpack(moreArgs))) do
    if score and (not least or tonumber(score) < tonumber(least)) then first, least = moreArgs[n], score end
  end
  return first, least
end`;

/** Whether a check is waited for, and when the next may be made; a time farther ahead than any rule allows is none. */
export const SUSPICION = `
local function readSuspicion(key) return redis.call('HGET', key, 'record') or '${JSON.stringify(NO_SUSPICION)}' end
local function isChecking(key, now)
  local checkUntil = tonumber(redis.call('HGET', key, 'checkUntil') or 0)
  return checkUntil > now and checkUntil <= now + ${FLIGHT_MS + LEAP_MS}
end
local function checkAt(key, now)
  local at = cjson.decode(readSuspicion(key)).nextMs
  return at <= now + ${LONGEST_PAUSE_MS + LEAP_MS} and at or 0
end`;

export const STALE = { kind: 'stale-epoch' } as const;

/** An empty text stands for a token of which nothing is known. */
export const encodeRecord = (record: TokenRecord | null): string =>
  record === null ? '' : JSON.stringify(record);
export const decodeRecord = (text: string): TokenRecord | null =>
  text === '' ? null : (JSON.parse(text) as TokenRecord);

type TakeReply =
  | typeof STALE
  | { readonly kind: 'taken'; readonly taken: TakenToken }
  /** `waitMs` is null where only an answer in flight can help. */
  | { readonly kind: 'refused'; readonly waitMs: number | null };

export const readTake = (reply: unknown): TakeReply => {
  const [kind, ...words] = reply as readonly string[];
  if (kind === 'taken') {
    const [id = '', record = '', nowMs = '', lock = '', epoch = ''] = words;
    return { kind, taken: { id, record: decodeRecord(record), takenMs: Number(nowMs), lock, epoch } };
  }
  if (kind === 'refused') return { kind, waitMs: words[0] === '' ? null : Number(words[0]) };
  return STALE;
};
