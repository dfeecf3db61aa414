import { request } from 'undici';
import type { Challenge } from '#shared/contract/challenge.ts';
import { encodeProof, solveChallenge } from './solve-challenge.ts';

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

/** Posts with a fresh proof over a real connection. Rejects if the server is gone before it has answered. */
export type DonorOverHttp = (path: string, body: Readonly<Record<string, unknown>>) => Promise<HttpAnswer>;

/** Settings that let a process take any number of donations, each from another visitor. */
export const ROOMY_FOR_DONORS = {
  POW_MAX_NUMBER: '1000',
  LOOKUPS_PER_MINUTE: '10000000',
  LOOKUPS_PER_DAY: '10000000',
  EGRESS_PER_SECOND: '10000',
  TRUSTED_PROXIES: '127.0.0.1/32',
};

export const createDonorOverHttp = (origin: string): DonorOverHttp => {
  let visitors = 0;
  return async (path, body) => {
    const challenge = await request(`${origin}/challenge`);
    const proof = encodeProof(solveChallenge((await challenge.body.json()) as Challenge));
    visitors += 1;
    const answer = await request(`${origin}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `100.${(visitors >> 8) & 255}.${visitors & 255}.1`,
      },
      body: JSON.stringify({ proof, ...body }),
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
};
