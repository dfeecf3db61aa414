import { createSecretKey } from 'node:crypto';
import { LIMITS, numeral, quote, RAW_MS, type MessagePool } from '#server/storage/postgres/message-pool.ts';
import type { PostgresSession } from '#server/storage/postgres/session.ts';
import type { System } from '#server/system.ts';
import {
  CAPACITY,
  CHALLENGE_MS,
  KEY_SPAN_MS,
  proofDigest,
  spanOf,
  type SignedProof,
  type SigningKey,
  type SpentProofs,
} from './captcha.ts';

type PostgresSpentProofsDeps = {
  readonly session: PostgresSession;
  /** The name of this very database: what a dump brings from another is void. */
  readonly home: string;
  readonly proofPool: MessagePool;
};

/** Made so much ahead that every server knows a key before anybody uses it. */
const SPANS_AHEAD = 2;
const SPANS_KEPT = 3;
const SWEPT_AT_ONCE = 5_000;

/** For all servers. A crash empties both tables, so keys and spent proofs are lost together. A key is deleted before its proofs. */
export const createPostgresSpentProofs = (
  { clock, random }: System,
  { session, home, proofPool }: PostgresSpentProofsDeps,
): SpentProofs => {
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
  session.onBeat({
    statements: () => [
      `insert into challenge_key values ${neededSpans().map(keyText).join()} on conflict do nothing`,
      `select span, id, encode(secret, 'hex') as secret from challenge_key where home = ${quote(home)}`,
    ],
    handle: ([, rows = []]) => {
      const keyOf = (id: unknown, secret: unknown) => ({
        id: String(id),
        secret: createSecretKey(String(secret), 'hex'),
      });
      keys = new Map(rows.map(({ span, id, secret }) => [Number(span), keyOf(id, secret)]));
    },
  });

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

  const keyOf = (expiresAtMs: number): SigningKey | undefined => keys.get(spanOf(expiresAtMs));

  return {
    issuingKey: (expiresAtMs) => {
      const problem = session.problem();
      if (problem !== null) throw session.unavailable(problem);
      return keyOf(expiresAtMs);
    },
    keyOf,
    spend: async (proof) => {
      if (isFull) return 'unavailable';
      const results = await session.use(() => proofPool.send(spendStatement(proof)));
      const row = results.at(-1)?.[0];
      if (row?.['spent'] === true) return 'accepted';
      if (row?.['known'] === true) return 'used';
      // The keys are others by now.
      void session.beat();
      return 'invalid';
    },
  };
};

const spendStatement = (proof: SignedProof): string => {
  const keyId = quote(proof.keyId);
  return `${LIMITS}
    with spent as (
      insert into spent_proof select id, decode(${quote(proofDigest(proof))}, 'hex'), span
      from challenge_key where id = ${keyId} on conflict do nothing returning 1)
    select exists (select from spent) as spent, exists (select from challenge_key where id = ${keyId}) as known`;
};
