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

/** What every value that we have ever written is like, and what the code that reads it relies on. */
const RULES = {
  /**
   * A donated token, sealed. Nothing here tells whose it is without the keyring. Whether a row opens is found out with
   * that; one that was altered does not, and is reported.
   */
  donated_token: {
    id: text(),
    /** The root key under which the row is sealed and its digests are made. */
    kid: text(),
    wrapped_key: bytes,
    ciphertext: bytes,
    /** Keyed digests of the whole token, of the bot's id, and of the receipt. */
    fingerprint: text(),
    bot_fingerprint: text(),
    receipt_digest: text(),
    created_day: text(),
    /** How it is sealed. */
    format: count,
    /** Where it was donated: no other platform is asked about it. Null until the first start of a version that knows. */
    platform: orNull(oneOf('sandbox', 'discord')),
  },
  /** Tells whether a key of the ring is still the one that sealed the rows. */
  vault_key: { kid: text(), check_digest: digest },
  /** A token that is out of use for good: the platform no longer accepts it, or the operator deleted it. */
  retirement: { token_id: text(), retired_at: time, reason: oneOf('platform', 'operator') },
  /** A short address of ours that leads to a server's invite. */
  vanity_link: {
    name: text(/^[a-z\d-]{1,32}$/),
    invite_code: text(/^[A-Za-z\d-]{2,32}$/),
    /** The server that the invite led to when the link was approved. It may not become another. */
    guild_id: text(/^\d{1,20}$/),
    /** Null while the link works. */
    paused_because: orNull(oneOf('operator', 'invite-changed', 'invite-gone')),
    /** When the platform last said where the invite leads. */
    checked_at: time,
    created_day: time,
    /** Notes for the operator, never public. */
    donor: orNull(text()),
    amount_eur: orNull(finite),
    donated_on: orNull(time),
  },
  /** Ids that are not to be shown, as keyed digests. */
  opt_out: { digest, created_day: time },
  /**
   * A machine's list of withdrawn tokens; its name is for the operator. `merged_into`: the database that has all of it;
   * `''` if none is known to, `'gone'` if nobody waits for it any more.
   */
  withdrawn_list: { id: text(), name: text(), merged_into: text() },
  /** What one server has counted in the five minutes from `from_ms` on; of the healthy tokens the most at one time. */
  figure: { server: text(), from_ms: count, served: count, refused: count, healthy: count },
  /** What the platform holds against us, as JSON: known to `all` servers or, in a folder, to the `server` or a command. */
  standing: { who: text(), record: text() },
};

type RuledTable = keyof typeof RULES;
type Row<Rules> = { [Column in keyof Rules]: Rules[Column] extends Rule<infer T> ? T : never };

export type Schema = { [Table in RuledTable]: Row<(typeof RULES)[Table]> } & {
  schema_migration: { number: number; name: string };
  // From here on in PostgreSQL only.
  /** The ids of rows whose donor has taken the token back. */
  withdrawn: { row_id: string };
  node: NodeRow;
  /** One row: the name of this database, and how often it was written to. */
  change: { site: string; n: number };
  /** One row: the figures that all servers show, and the window of time that they are of. */
  shown_figures: { one: boolean; window: number; body: string };
};

export type DonatedTokenRow = Schema['donated_token'];
export type VanityLinkRow = Schema['vanity_link'];
export type RetirementRow = Schema['retirement'];
export type FigureRow = Schema['figure'];
export type WithdrawnListRow = Schema['withdrawn_list'];

/** A server that is running on these records, or was a moment ago. */
export type NodeRow = {
  id: string;
  /** The machine's, for the operator. */
  name: string;
  /** By the clock of the database. */
  seen_at: Date;
  /** The keys in its keyring file, separated by spaces. */
  kids: string;
  version: string;
};

/** The first column of a row that breaks a rule. */
const wrongColumn = (table: RuledTable, row: object): string | undefined => {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.entries(RULES[table]).find(([column, rule]) => !rule(values[column]))?.[0];
};

/** For those that are read again while a server runs. */
export const isGoodRow = <Table extends RuledTable>(table: Table, row: Schema[Table]): boolean =>
  wrongColumn(table, row) === undefined;

/** The rules for reading: nothing that passes them can lead a visitor astray, or end a request with an error. */
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

/** One step from one version of the schema to the next. */
export type Migration = {
  readonly name: string;
  /** Absent if it is for every dialect. */
  readonly only?: 'postgres';
  readonly up: (db: Kysely<Schema>) => Promise<void>;
};
