import { isOver, NEW_STANDING, type Standing } from '#server/rules/standing.ts';
import type { Hold } from '#server/rules/suspicion.ts';
import type { Database } from '#server/storage/database.ts';
import type { Clock } from '#server/system.ts';
import { isRecord, parseJson } from '#shared/json.ts';
import type { Holds, StandingJournal } from './memory-token-store.ts';

type StandingJournalDeps = {
  readonly clock: Clock;
  readonly database: Database;
  /** `SERVER`, or a name of its own for each command: nobody writes over another's. */
  readonly who: string;
};

export const SERVER = 'server';

/** The platform bans addresses, not processes: the server and commands must know of each other's bans. */
export const openStandingJournal = async ({
  clock,
  database,
  who,
}: StandingJournalDeps): Promise<StandingJournal & { readonly refresh: () => Promise<void> }> => {
  let others: readonly Standing[] = [];
  const readAll = () => database.selectFrom('standing').selectAll().execute();
  const refresh = async (): Promise<void> => {
    others = (await readAll()).flatMap((row) => (row.who === who ? [] : [parseStanding(row.record)]));
  };

  const rows = await readAll();
  if (who === SERVER)
    for (const row of rows)
      if (row.who !== who && isOver(parseStanding(row.record), clock.wallMs()))
        await database.deleteFrom('standing').where('who', '=', row.who).execute();
  await refresh();
  const own = rows.find((row) => row.who === who)?.record ?? '';
  return {
    own: parseStanding(own),
    holds: parseHolds(own),
    others: () => others,
    keep: async (standing, holds) => {
      const row = { who, record: JSON.stringify({ ...standing, holds }) };
      await database
        .insertInto('standing')
        .values(row)
        .onConflict((conflict) => conflict.column('who').doUpdateSet(row))
        .execute();
    },
    refresh,
  };
};

/** Suspicion begins again with the process. What cannot be read counts for nothing. */
const parseStanding = (text: string): Standing => {
  const { bans, invalid } = (parseJson(text) ?? {}) as Partial<Standing>;
  const isWhole =
    isRecord(bans) &&
    Object.values(bans).every(areNumbers) &&
    Array.isArray(invalid) &&
    invalid.every(areNumbers);
  return isWhole ? { ...NEW_STANDING, bans, invalid } : NEW_STANDING;
};

const parseHolds = (text: string): Holds => {
  const { holds } = (parseJson(text) ?? {}) as { readonly holds?: Holds };
  return isRecord(holds) && Object.values(holds).every(isHold) ? holds : {};
};

const isHold = ({ sinceMs, refusedHours, hourMs }: Partial<Hold>): boolean =>
  [sinceMs, refusedHours, hourMs].every(Number.isFinite);

const areNumbers = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((field) => field === null || typeof field === 'number');
