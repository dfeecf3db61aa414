import { createSecretKey } from 'node:crypto';
import { numeral, quote, RAW_MS } from '#server/storage/postgres/message-pool.ts';
import type { System } from '#server/system.ts';
import { CHALLENGE_MS, KEY_SPAN_MS, spanOf, type SigningKey } from '../admission-store.ts';
import type { PostgresSession, Rows } from './session.ts';

export type ChallengeKeysDeps = {
  readonly system: System;
  readonly session: PostgresSession;
  /** The name of this very database: what a dump brings from another is void. */
  readonly home: string;
};

/** Made so much ahead that every server knows a key before anybody uses it. */
const SPANS_AHEAD = 2;
const SPANS_KEPT = 3;
const SWEPT_AT_ONCE = 5_000;
const CAPACITY = 500_000;

/** A crash empties both tables, so keys and spent proofs are lost together. A key is deleted before its proofs. */
export const createChallengeKeys = ({ system, session, home }: ChallengeKeysDeps) => {
  const { clock, random } = system;
  let keys: ReadonlyMap<number, SigningKey> = new Map();
  let isFull = false;

  const neededSpans = (): number[] => {
    const first = spanOf(clock.wallMs() + CHALLENGE_MS);
    return Array.from({ length: SPANS_AHEAD + 1 }, (_, n) => first + n);
  };
  const keyText = (span: number): string => {
    const [id, secret] = [random.bytes(8).toString('hex'), random.bytes(32).toString('hex')];
    return `(${span}, ${quote(id)}, '\\x${secret}'::bytea, ${quote(home)})`;
  };
  const statements = (): string[] => [
    `insert into challenge_key values ${neededSpans().map(keyText).join()} on conflict do nothing`,
    `select span, id, encode(secret, 'hex') as secret from challenge_key where home = ${quote(home)}`,
  ];
  const handle = (results: readonly Rows[]): void => {
    const known = new Map([...keys.values()].map((key) => [key.id, key]));
    keys = new Map(
      (results.at(-1) ?? []).map(({ span, id, secret }) => [
        Number(span),
        known.get(String(id)) ?? {
          id: String(id),
          secret: createSecretKey(Buffer.from(String(secret), 'hex')),
        },
      ]),
    );
  };
  session.onBeat({ statements, handle });

  /** By both clocks: one of them may be wrong. */
  const oldest = (): string =>
    `least(${spanOf(clock.wallMs())}, (${RAW_MS} / ${numeral(KEY_SPAN_MS)})::bigint) - ${SPANS_KEPT}`;
  session.onSweep(async () => {
    await session.run([`delete from challenge_key where span < ${oldest()} or home <> ${quote(home)}`]);
    await session.run([
      `delete from spent_proof where (key_id, digest) in (
         select key_id, digest from spent_proof
         where not exists (select from challenge_key where id = key_id) and span < ${oldest()} - ${SPANS_KEPT}
         limit ${SWEPT_AT_ONCE} for update skip locked)`,
    ]);
    const [[spent = {}] = []] = (await session.run(['select count(*) as spent from spent_proof'])) ?? [];
    isFull = Number(spent['spent'] ?? 0) >= CAPACITY;
  });

  return {
    keyOf: (expiresAtMs: number): SigningKey | undefined => keys.get(spanOf(expiresAtMs)),
    isFull: () => isFull,
  };
};
