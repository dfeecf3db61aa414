import { Agent, request } from 'undici';
import type { Challenge } from '#shared/contract/challenge.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';

export type Answer = {
  readonly status: number;
  /** Of an error; undefined with anything else. */
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly tookMs: number;
};

/** What a request rejects with that got no whole answer. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly origin: string;
  readonly sentMs: number;
  /** What was asked for and what happened, such as `/lookup ECONNRESET`. */
  override readonly cause: string;

  constructor(origin: string, path: string, sentMs: number, error: unknown) {
    super(String(error));
    this.origin = origin;
    this.sentMs = sentMs;
    this.cause = `${path} ${(error as NodeJS.ErrnoException).code ?? String(error)}`;
  }
}

export type Visitors = ReturnType<typeof createVisitors>;

/** Neighbouring numbers are far apart, so that not even the neighbourhood's allowance is shared. */
const addressOf = (n: number): string => {
  const spread = Math.imul(n, 0x9e_37_79_b1) >>> 0;
  return `${1 + ((spread >>> 24) % 120)}.${(spread >>> 16) & 255}.${(spread >>> 8) & 255}.${spread & 255}`;
};

/** Longer than the server takes to answer anything. */
const TIMEOUT_MS = 15_000;

/** `origin` is called for each request, so that a load balancer can choose a server there. */
export const createVisitors = (origin: () => string) => {
  const dispatcher = new Agent({
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    // For a proxy with a certificate of its own.
    connect: { rejectUnauthorized: false },
  });
  let count = 0;

  const exchange = async (path: string, options: Parameters<typeof request>[1]): Promise<Answer> => {
    const [at, startMs] = [origin(), performance.now()];
    try {
      const { statusCode: status, headers, body } = await request(`${at}${path}`, { dispatcher, ...options });
      const content = (await body.json()) as Answer['body'];
      const code = typeof content['code'] === 'string' ? content['code'] : undefined;
      return { status, code, headers, body: content, tookMs: performance.now() - startMs };
    } catch (error) {
      throw new Unanswered(at, path, startMs, error);
    }
  };

  /** Somebody at an address of their own, over connections that all visitors share as behind a proxy. */
  const next = () => {
    count += 1;
    const headers = { 'x-forwarded-for': addressOf(count), 'content-type': 'application/json' };
    /** Rejects if the connection ends before the answer is complete. */
    const send = (path: string, body: object): Promise<Answer> =>
      exchange(path, { method: 'POST', headers, body: JSON.stringify(body) });
    /** A proof, or the answer that refuses a challenge. */
    const solve = async (): Promise<string | Answer> => {
      const challenge = await exchange('/challenge', { headers });
      if (challenge.status !== 200) return challenge;
      return encodeProof(solveChallenge(challenge.body as unknown as Challenge));
    };
    /** Sends with a fresh proof; if there is no challenge, that refusal is the answer. */
    const ask = async (path: string, body: object): Promise<Answer & { readonly proof?: string }> => {
      const proof = await solve();
      return typeof proof === 'string' ? { ...(await send(path, { ...body, proof })), proof } : proof;
    };
    return { send, solve, ask };
  };
  return { next, [Symbol.asyncDispose]: () => dispatcher.destroy() };
};

export const verdictOf = ({ status, code }: Answer): string => `${status} ${code ?? ''}`.trim();
