import type { ErrorBody } from '#shared/contract/error-body.ts';
import { ERRORS, type ErrorCode, type Reaction } from '#shared/contract/errors.ts';
import type { Browser } from './browser.ts';
import type { ErrorTexts } from './environment.ts';

/** `unknown`: the server did not name the failure. `unreachable`, `offline`: its answer never came. */
export type FailureCause = ErrorCode | 'unknown' | 'unreachable' | 'offline';

export type Failure = {
  readonly kind: 'failed';
  readonly message: string;
  readonly reaction: Reaction;
  readonly cause: FailureCause;
  readonly retryAfterSeconds?: number;
};

export type Network = Pick<Browser, 'fetch' | 'isOnline'> & {
  readonly signal: AbortSignal;
  /** In the language of the page, where it has a sentence for a code. */
  readonly errors: ErrorTexts;
};

type Question<Answer> = {
  readonly path: string;
  /** Posted as JSON. Without one the path is only read. */
  readonly body?: Readonly<Record<string, string>>;
  /** Undefined if the body does not answer the question. */
  readonly read: (body: unknown, response: Response) => Answer | undefined;
  /** Shown if there is no sentence for what the server answers, not even its own. */
  readonly failed: string;
  /** What to say when it cannot be reached. */
  readonly unreachable: string;
  /** Shows the network's own message instead. Not for secrets: it might quote the request. */
  readonly quoteNetwork?: boolean;
};

/** Takes any body: the answer may come from a proxy, or from a server newer than this page. */
export const toFailure = (body: unknown, errors: ErrorTexts, fallback: string): Failure => {
  const { error, code, retry_after: retryAfterSeconds } = (body ?? {}) as Partial<ErrorBody>;
  const named = typeof code === 'string' && Object.hasOwn(ERRORS, code);
  const own = named ? errors[code] : undefined;
  const message = own ?? (typeof error === 'string' && error !== '' ? error : fallback);
  return {
    kind: 'failed',
    message,
    reaction: named ? ERRORS[code].reaction : 'explain',
    cause: named ? code : 'unknown',
    ...(typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0 && { retryAfterSeconds }),
  };
};

/** The JSON of a response; undefined when it has none or it is broken. */
export const readJson = async (response: Response): Promise<unknown> => {
  if (!response.headers.get('content-type')?.includes('application/json')) return undefined;
  return response.json().catch(() => undefined);
};

/** The only place where pages talk to the server. Never throws. */
export const askServer = async <Answer>(
  { path, body, read, failed, unreachable, quoteNetwork = false }: Question<Answer>,
  { fetch, isOnline, signal, errors }: Network,
): Promise<Answer | Failure> => {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  try {
    const response = await fetch(path, { ...(body && post), signal });
    const json = await readJson(response);
    return read(json, response) ?? toFailure(json, errors, failed);
  } catch (error) {
    const quote = quoteNetwork && error instanceof Error && error.message;
    const cause = isOnline() ? 'unreachable' : 'offline';
    return { kind: 'failed', message: quote || unreachable, reaction: 'try-later', cause };
  }
};
