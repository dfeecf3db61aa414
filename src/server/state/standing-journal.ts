import { NEW_STANDING, type Standing } from '#server/platform/standing.ts';
import type { Database } from '#server/storage/database.ts';
import type { Holds } from '#server/tokens/memory-token-store.ts';
import { isRecord, parseJson } from '#shared/json.ts';
import type { Journals } from './state.ts';

/** For the next start, and for commands: the platform bans addresses, not processes. */
export const openJournals = async (database: Database): Promise<Journals> => {
  const keep = async (who: 'platform' | 'tokens', record: object): Promise<void> => {
    const row = { who, record: JSON.stringify(record) };
    await database
      .insertInto('standing')
      .values(row)
      .onConflict((conflict) => conflict.column('who').doUpdateSet(row))
      .execute();
  };
  return {
    platform: { before: await readStanding(database), keep: (standing) => keep('platform', standing) },
    tokens: {
      before: parseHolds(await readRecord(database, 'tokens')),
      keep: (holds) => keep('tokens', holds),
    },
  };
};

const readRecord = async (database: Database, who: string): Promise<unknown> => {
  const row = await database
    .selectFrom('standing')
    .select('record')
    .where('who', '=', who)
    .executeTakeFirst();
  return parseJson(row?.record ?? '');
};

/** What cannot be read counts for nothing. */
export const readStanding = async (database: Database): Promise<Standing> => {
  const { bans, invalid } = ((await readRecord(database, 'platform')) ?? {}) as Partial<Standing>;
  const isWhole =
    isRecord(bans) &&
    Object.values(bans).every(areNumbers) &&
    Array.isArray(invalid) &&
    invalid.every(areNumbers);
  return isWhole ? { bans, invalid } : NEW_STANDING;
};

const parseHolds = (holds: unknown): Holds => (areNumbers(holds) ? (holds as Holds) : {});

const areNumbers = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((field) => field === null || typeof field === 'number');
