import { NEW_STANDING, type Standing } from '#server/rules/standing.ts';
import type { TokenRecord } from '#server/rules/token-rules.ts';
import type { Row } from '#server/storage/postgres/message-pool.ts';
import { rowAfter, type Look, type TokenRow, type TokenWrite, type View } from '../token-store.ts';
import type { PostgresMembers } from './members.ts';
import type { PostgresSession, Rows } from './session.ts';
import { readStatement } from './token-statements.ts';

export const createTokenViews = (session: PostgresSession, members: PostgresMembers) => {
  const known = new Map<string, TokenRow>();
  let standing: Standing = NEW_STANDING;
  let standingVersion = -1;
  let tatMs = -Infinity;
  let first = { freeAtMs: 0, isAnyAway: false };

  const viewOf = (tokens: readonly TokenRow[]): View => ({
    nowMs: session.nowMs(),
    standings: [standing],
    standingVersion,
    tokens,
  });

  return {
    statement: (look: Look): string =>
      readStatement(look, {
        knownStanding: standingVersion,
        among: typeof look === 'object' ? undefined : members.among(),
      }),
    take: (look: Look, rows: Rows): View => {
      const [pace = {}] = rows;
      tatMs = Number(pace['tat']);
      standingVersion = Number(pace['standing']);
      if (typeof pace['standing_record'] === 'string') standing = readStanding(pace['standing_record']);
      const nowMs = session.nowMs();
      const read = rows.flatMap((row) => (row['id'] === null ? [] : [toRow(row, nowMs)]));
      for (const row of read) known.set(row.id, row);
      const tokens = typeof look === 'object' ? read : members.ownOf(read);
      if (look === 'free')
        first = { freeAtMs: tokens[0]?.freeAtMs ?? Infinity, isAnyAway: pace['any_away'] === true };
      return viewOf(tokens);
    },
    known: (look: 'none' | { readonly id: string }): View | undefined => {
      if (look === 'none') return viewOf([]);
      const row = known.get(look.id);
      return row && viewOf([row]);
    },
    wrote: (write: TokenWrite, isWritten: boolean): void => {
      if (isWritten) known.set(write.row.id, rowAfter(write));
      else known.delete(write.row.id);
    },
    standing: () => standing,
    tatMs: () => tatMs,
    first: () => first,
  };
};

const readStanding = (text: string): Standing =>
  text === '' ? NEW_STANDING : (JSON.parse(text) as Standing);

export const readRecord = (text: unknown): TokenRecord | null =>
  typeof text === 'string' ? (JSON.parse(text) as TokenRecord) : null;

const toRow = ({ id, version, record, free_at, place }: Row, nowMs: number): TokenRow => ({
  id: String(id),
  version: Number(version),
  record: readRecord(record),
  // By then the answers that it waits for can no longer come.
  freeAtMs: place === 'away' && Number(free_at) > nowMs ? Infinity : Number(free_at),
  isSuspect: place === 'suspect',
});
