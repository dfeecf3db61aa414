import { Agent, request } from 'undici';
import type { Challenge } from '#shared/contract/challenge.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';

export type Answer = {
  readonly status: number;
  /** Of an error; undefined with anything else. */
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly tookMs: number;
};

/** Somebody at an address of their own, over connections that all visitors share as behind a proxy. */
export type Visitor = {
  /** Rejects if the connection ends before the answer is complete. */
  readonly post: (path: string, body: object) => Promise<Answer>;
  readonly solve: () => Promise<string>;
};

export type Visitors = AsyncDisposable & { readonly next: () => Visitor };

/** Neighbouring numbers are far apart, so that not even the neighbourhood's allowance is shared. */
const addressOf = (n: number): string => {
  const spread = Math.imul(n, 0x9e_37_79_b1) >>> 0;
  return `${1 + ((spread >>> 24) % 120)}.${(spread >>> 16) & 255}.${(spread >>> 8) & 255}.${spread & 255}`;
};

/** Longer than the server takes to answer anything. */
const PATIENCE_MS = 15_000;

/** `origin` is asked for at each request: whoever stands before several servers chooses one there. */
export const createVisitors = (origin: () => string): Visitors => {
  const dispatcher = new Agent({ pipelining: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  let count = 0;

  const ask = async (path: string, options: Parameters<typeof request>[1]): Promise<Answer> => {
    const startMs = performance.now();
    const { statusCode: status, body } = await request(`${origin()}${path}`, { dispatcher, ...options });
    const content = (await body.json()) as Answer['body'];
    const code = typeof content['code'] === 'string' ? content['code'] : undefined;
    return { status, code, body: content, tookMs: performance.now() - startMs };
  };

  return {
    next: () => {
      count += 1;
      const headers = { 'x-forwarded-for': addressOf(count), 'content-type': 'application/json' };
      return {
        post: (path, body) => ask(path, { method: 'POST', headers, body: JSON.stringify(body) }),
        solve: async () => {
          const { status, code, body } = await ask('/challenge', { headers });
          if (status !== 200) throw new RefusedError(status, code);
          return encodeProof(solveChallenge(body as unknown as Challenge));
        },
      };
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
};

/** No challenge was to be had: the visit ends before it began. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, code: string | undefined) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** What is wrong with the form of an answer to a lookup, if anything. */
export const faultOf = ({ status, code, body }: Answer): string | null => {
  if (status === 200) return typeof body['username'] === 'string' ? null : 'a profile without a name';
  if (status === 404 && code === undefined) return typeof body['id'] === 'string' ? null : 'not a 404';
  if (typeof body['error'] !== 'string') return 'no sentence';
  return ERRORS[code as ErrorCode]?.status === status ? null : `${code} with ${status}`;
};
