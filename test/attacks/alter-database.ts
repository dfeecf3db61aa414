import { closeSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Dice } from './dice.ts';

/** What was done to a file. `schema`: more than rows, so that it may never be called good. */
export type Alteration = { readonly kind: 'schema' | 'rows' | 'bytes'; readonly what: string };

const TABLES = {
  opt_out: 'digest created_day',
  vanity_link: 'name invite_code guild_id paused_because checked_at created_day donor amount_eur',
  donated_token: 'id kid wrapped_key ciphertext fingerprint receipt_digest created_day platform',
  vault_key: 'kid check_digest',
  retirement: 'token_id retired_at reason',
  withdrawn_list: 'merged_into',
  figure: 'server from_ms served refused healthy',
  standing: 'who record',
};
const pickColumn = (dice: Dice): readonly [table: string, column: string] => {
  const [table, columns] = dice.pick(Object.entries(TABLES));
  return [table, dice.pick(columns.split(' '))];
};

/** Rows in tables that the site leaves empty. */
const FILL = `
  insert or ignore into retirement values ('r', '2026-01-01T00:00:00.000Z', 'platform');
  insert or ignore into withdrawn_list values ('');
  insert or ignore into figure values ('s', 1794700000000, 1, 1, 1);
  insert or ignore into standing values ('platform', '{"bans":{},"invalid":[]}')`;

const TRIGGERED = ['select raise(ignore)', `select raise(abort, 'no')`, 'delete from opt_out'];

/** Each of them could make a write do something else, or a read find something else. */
const schemaChange = (dice: Dice): string => {
  const [table] = pickColumn(dice);
  return dice.pick([
    `create trigger x ${dice.pick(['before', 'after'])} ${dice.pick(['insert', 'update', 'delete'])} on ${table} begin ${dice.pick(TRIGGERED)}; end`,
    `create view x as select * from ${table}`,
    `alter table ${table} rename to y; create view ${table} as select * from y; create trigger x instead of insert on ${table} begin select 1; end`,
    `insert into schema_migration values (${dice.pick(['99', '9223372036854775807'])}, 'later')`,
    `drop table schema_migration`,
  ]);
};

const VALUES = [
  ...`0 -1 1.5 9223372036854775807 null x'00ff' '' char(0) char(55296) 'Ärger' '//evil.example'`.split(' '),
  `'../../x?redirect=https://evil.example'`,
  `'ab' || char(13, 10) || 'Set-Cookie: a=b'`,
  `cast(x'fffe' as text)`,
  `replace(hex(zeroblob(2000000)), '00', 'ab')`,
  `'{"bans":null,"invalid":[null]}'`,
  `'{"bans":{"getUser":{"untilMs":"x"}},"invalid":[{"startMs":{}}]}'`,
];

const rowChange = (dice: Dice): string => {
  const [table, column] = pickColumn(dice);
  return `update or ignore ${table} set ${column} = ${dice.pick(VALUES)}`;
};

const byteChange = (dice: Dice, path: string): string => {
  const bytes = readFileSync(path);
  const at = dice.below(bytes.length);
  switch (dice.below(4)) {
    case 0: {
      const file = openSync(path, 'r+');
      ftruncateSync(file, at);
      closeSync(file);
      return `cut at ${at}`;
    }
    case 1:
      writeFileSync(path, bytes.fill(0, at, Math.min(bytes.length, at + dice.below(4_096))));
      return `zeros at ${at}`;
    case 2:
      writeFileSync(path, Buffer.concat([bytes, dice.bytes(1 + dice.below(5_000))]));
      return 'more at its end';
    default:
      for (let n = 0; n < 20; n += 1) bytes[dice.below(bytes.length)] = dice.below(256);
      writeFileSync(path, bytes);
      return 'twenty bytes';
  }
};

export const alterDatabase = (path: string, dice: Dice): Alteration => {
  const roll = dice.below(20);
  if (roll < 4) return { kind: 'bytes', what: byteChange(dice, path) };
  const kind = roll < 12 ? 'schema' : 'rows';
  using sqlite = new DatabaseSync(path, { defensive: false });
  sqlite.exec(FILL);
  const what = kind === 'schema' ? schemaChange(dice) : rowChange(dice);
  sqlite.exec(what);
  return { kind, what };
};
