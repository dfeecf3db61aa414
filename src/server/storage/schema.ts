import type { Kysely } from 'kysely';
import { corrupt } from './storage-fault.ts';

type Rule<T> = (value: unknown) => value is T;

const text =
  (pattern = /^/): Rule<string> =>
  (value): value is string =>
    typeof value === 'string' && pattern.test(value);
const oneOf =
  <T extends string>(...words: readonly T[]): Rule<T> =>
  (value): value is T =>
    words.includes(value as T);
const orNull =
  <T>(rule: Rule<T>): Rule<T | null> =>
  (value): value is T | null =>
    value === null || rule(value);
const finite: Rule<number> = (value): value is number => Number.isFinite(value);
const count: Rule<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const bytes: Rule<Uint8Array> = (value) => value instanceof Uint8Array;
const digest = text(/^[\da-f]{64}$/);
const time = text(/^\d{4}-[\d:.TZ-]{5,}$/);

/** What every value that we write is like, and what the code that reads it relies on. */
const RULES = {
  /** Nothing more is checked: a row that was altered does not open, and is reported. */
  donated_token: {
    id: text(),
    kid: text(),
    wrapped_key: bytes,
    ciphertext: bytes,
    fingerprint: text(),
    bot_fingerprint: text(),
    receipt_digest: text(),
    created_day: text(),
    /** Where it was donated. */
    platform: oneOf('sandbox', 'discord'),
  },
  vault_key: { kid: text(), check_digest: digest },
  retirement: { token_id: text(), retired_at: time, reason: oneOf('platform', 'operator') },
  vanity_link: {
    name: text(/^[a-z\d-]{1,32}$/),
    invite_code: text(/^[A-Za-z\d-]{2,32}$/),
    /** The server that the invite led to when the link was approved. It may not become another. */
    guild_id: text(/^\d{1,20}$/),
    paused_because: orNull(oneOf('operator', 'invite-changed', 'invite-gone')),
    checked_at: time,
    created_day: time,
    /** Notes for the operator, never public. */
    donor: orNull(text()),
    amount_eur: orNull(finite),
    donated_on: orNull(time),
  },
  opt_out: { digest, created_day: time },
  /** `merged_into`: the name of the database that has all of it. */
  withdrawn_list: { id: text(), name: text(), merged_into: text() },
  /** Of the five minutes from `from_ms` on; of the healthy tokens the most at one time. */
  figure: { server: text(), from_ms: count, served: count, refused: count, healthy: count },
  /** Of the `platform` (what it holds against us), and of the `tokens`. `record`: JSON. */
  standing: { who: text(), record: text() },
};

type RuledTable = keyof typeof RULES;
type Row<Rules> = { [Column in keyof Rules]: Rules[Column] extends Rule<infer T> ? T : never };

export type Schema = { [Table in RuledTable]: Row<(typeof RULES)[Table]> } & {
  schema_migration: { number: number; name: string };
  // From here on in PostgreSQL only.
  withdrawn: { row_id: string };
  node: NodeRow;
  /** One row: the name of this database, and how often it was written to. */
  change: { site: string; n: number };
};

export type DonatedTokenRow = Schema['donated_token'];
export type VanityLinkRow = Schema['vanity_link'];
export type RetirementRow = Schema['retirement'];
export type FigureRow = Schema['figure'];
export type WithdrawnListRow = Schema['withdrawn_list'];

export type NodeRow = {
  id: string;
  name: string;
  seen_at: Date;
  version: string;
};

const wrongColumn = (table: RuledTable, row: object): string | undefined => {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.entries(RULES[table]).find(([column, rule]) => !rule(values[column]))?.[0];
};

export const isGoodRow = <Table extends RuledTable>(table: Table, row: Schema[Table]): boolean =>
  wrongColumn(table, row) === undefined;

export const refuseOddRows = async (database: Kysely<Schema>, place: string): Promise<void> => {
  for (const table of Object.keys(RULES) as RuledTable[])
    for (const row of await database.selectFrom(table).selectAll().execute()) {
      const column = wrongColumn(table, row);
      if (column !== undefined)
        throw corrupt(
          `The database ${place} was altered, in ${table} there is a ${column} that this program has not written`,
        );
    }
};
