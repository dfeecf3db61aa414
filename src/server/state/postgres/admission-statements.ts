import { numeral, quote } from '#server/storage/postgres/message-pool.ts';
import {
  mostAheadMs,
  proofDigest,
  ROUNDING_MS,
  stepMs,
  type Counter,
  type SignedProof,
} from '../admission-store.ts';

const bytea = (hex: string): string => `decode(${quote(hex)}, 'hex')`;

const COLUMNS = ['a', 'b'] as const;

export const columnsOf = ({ allowances }: Counter) =>
  allowances.map((allowance, n) => [COLUMNS[n as 0 | 1], allowance] as const);

const countText = (counter: Counter, nowMs: number, from: string): string => {
  const columns = columnsOf(counter);
  const steps = columns.map(([, allowance]) => numeral(nowMs + stepMs(allowance)));
  const changes = columns.map(
    ([column, allowance]) =>
      `${column} = greatest(v.${column} + ${numeral(stepMs(allowance))}, excluded.${column})`,
  );
  const room = columns.map(([column, allowance]) => {
    const mostMs = nowMs + mostAheadMs(allowance) - stepMs(allowance) + ROUNDING_MS;
    return `v.${column} <= ${numeral(mostMs)}`;
  });
  return `insert into visitor_count as v (key, ${columns.map(([column]) => column).join()})
    select ${bytea(counter.key)}, ${steps.join()} from ${from}
    on conflict (key) do update set ${changes.join()} where ${room.join(' and ')} returning a, b`;
};

type AdmissionTexts = {
  readonly counters: readonly Counter[];
  readonly proof: SignedProof | undefined;
  readonly nowMs: number;
  readonly timely: string;
};

/** First the counters, as long as each has room (`a0` and so on: null from the one that refused on), then the proof. */
export const admissionStatement = ({ counters, proof, nowMs, timely }: AdmissionTexts): string => {
  const key = proof && quote(proof.keyId);
  const digest = proof && bytea(proofDigest(proof));
  const state = [
    `${timely} as timely`,
    key && `exists (select from challenge_key where id = ${key}) as known`,
    digest && `exists (select from spent_proof where key_id = ${key} and digest = ${digest}) as used`,
  ];
  const first = `x where timely ${proof === undefined ? '' : 'and known and not used'}`;
  const parts = [
    `x as materialized (select ${state.filter(Boolean).join(', ')})`,
    ...counters.map((counter, n) => `c${n} as (${countText(counter, nowMs, n === 0 ? first : `c${n - 1}`)})`),
    proof &&
      `s as (insert into spent_proof select id, ${digest}, span from challenge_key, c${counters.length - 1}
        where id = ${key} on conflict do nothing returning 1)`,
  ];
  const columns = [
    'x.*',
    ...counters.flatMap((_, n) => COLUMNS.map((column) => `(select ${column} from c${n}) as ${column}${n}`)),
    proof && 'exists (select from s) as spent',
  ];
  return `with ${parts.filter(Boolean).join(', ')} select ${columns.filter(Boolean).join(', ')} from x`;
};

/** A statement of its own: one that is refused by what another has just counted does not see it yet. */
export const countersStatement = (counters: readonly Counter[]): string =>
  `select json_agg(json_build_array(encode(key, 'hex'), a, b)) as counts from visitor_count
   where key in (${counters.map(({ key }) => bytea(key)).join()})`;

/** Rows about visitors go as soon as they mean nothing. */
export const sweepVisitorsStatement = (nowMs: number): string =>
  `delete from visitor_count where key in (
     select key from visitor_count where greatest(a, b) < ${numeral(nowMs)} limit 5000 for update skip locked)`;
