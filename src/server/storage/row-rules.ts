import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

type IsRight = (value: unknown) => boolean;

const text =
  (pattern = /^/): IsRight =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const orNull =
  (isRight: IsRight): IsRight =>
  (value) =>
    value === null || isRight(value);
const count: IsRight = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const bytes: IsRight = (value) => value instanceof Uint8Array;
const digest = text(/^[\da-f]{64}$/);
const time = text(/^\d{4}-[\d:.TZ-]{5,}$/);

/** What every value that we have ever written is like, and what the code that reads it relies on. */
const RULES = {
  opt_out: { digest, created_day: time },
  vanity_link: {
    name: text(/^[a-z\d-]{1,32}$/),
    invite_code: text(/^[A-Za-z\d-]{2,32}$/),
    guild_id: text(/^\d{1,20}$/),
    paused_because: orNull(text(/^(?:operator|invite-changed|invite-gone)$/)),
    checked_at: time,
    created_day: time,
    donor: orNull(text()),
    amount_eur: orNull(Number.isFinite),
    donated_on: orNull(time),
  },
  // Whether a row opens is found out with the keyring; one that was altered does not, and is reported.
  donated_token: {
    id: text(),
    kid: text(),
    wrapped_key: bytes,
    ciphertext: bytes,
    fingerprint: text(),
    bot_fingerprint: text(),
    receipt_digest: text(),
    created_day: text(),
    format: count,
    platform: orNull(text(/^(?:sandbox|discord)$/)),
  },
  vault_key: { kid: text(), check_digest: digest },
  retirement: { token_id: text(), retired_at: time, reason: text(/^(?:platform|operator)$/) },
  withdrawn_list: { id: text(), name: text(), merged_into: text() },
  figure: { server: text(), from_ms: count, served: count, refused: count, healthy: count },
  standing: { who: text(), record: text() },
} satisfies { readonly [Table in keyof Schema]?: { readonly [Column in keyof Schema[Table]]: IsRight } };

type RuledTable = keyof typeof RULES;

/** The first column of a row that breaks a rule. */
const wrongColumn = (table: RuledTable, row: object): string | undefined => {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.entries<IsRight>(RULES[table]).find(([column, isRight]) => !isRight(values[column]))?.[0];
};

/** For those that are read again while a server runs. */
export const isGoodRow = <Table extends RuledTable>(table: Table, row: Schema[Table]): boolean =>
  wrongColumn(table, row) === undefined;

/** The rules for reading: nothing that passes them can lead a visitor astray, or end a request with an error. */
export const refuseOddRows = async (database: Database, place: string): Promise<void> => {
  for (const table of Object.keys(RULES) as RuledTable[])
    for (const row of await database.selectFrom(table).selectAll().execute()) {
      const column = wrongColumn(table, row);
      if (column !== undefined)
        throw new OperatorError(
          EXIT.databaseCorrupt,
          `The database ${place} was altered, in ${table} there is a ${column} that this program has not written`,
          'move it away and restore a backup.',
        );
    }
};
