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
  readonly networkError?: string;
};

export type Network = Pick<Browser, 'fetch' | 'isOnline'> & {
  readonly signal: AbortSignal;
  readonly errors: ErrorTexts;
};

type ApiCall<Answer> = {
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
  readonly read: (body: unknown, response: Response) => Answer | undefined;
  /** Shown if there is no sentence for what the server answers, not even its own. */
  readonly failed: string;
  readonly unreachable: string;
  /** Shows the network's own message as well. Not for secrets: it might quote the request. */
  readonly quoteNetwork?: boolean;
};

const LONGEST_WAIT_SECONDS = 86_400;

export type Fields = Readonly<Record<string, unknown>>;

/** None of what is no object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** The names that the contract promises; what they hold is not taken on trust. */
export type Unread<Contract> = Readonly<Partial<Record<keyof Contract, unknown>>>;

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERRORS, code);

const causeOfStatus = (status: number): FailureCause => {
  if (status === 429) return 'visitor-limit';
  return status >= 400 && status < 500 ? 'bad-request' : 'unknown';
};

type RefusedAnswer = { readonly body: unknown; readonly status: number };

/** Takes any body: the answer may come from a proxy, or from a server newer than this page. */
export const toFailure = ({ body, status }: RefusedAnswer, errors: ErrorTexts, fallback: string): Failure => {
  const { error, code, retry_after: seconds }: Unread<ErrorBody> = fieldsOf(body);
  const named = isErrorCode(code) ? code : undefined;
  const cause = named ?? causeOfStatus(status);
  const own = named && errors[named];
  return {
    kind: 'failed',
    message: own ?? (typeof error === 'string' && error !== '' ? error : fallback),
    reaction: isErrorCode(cause) ? ERRORS[cause].reaction : 'explain',
    cause,
    ...(typeof seconds === 'number' &&
      seconds > 0 && { retryAfterSeconds: Math.min(Math.ceil(seconds), LONGEST_WAIT_SECONDS) }),
  };
};

export const readJson = async (response: Response): Promise<unknown> => {
  if (!/application\/json/i.test(response.headers.get('content-type') ?? '')) return undefined;
  return response.json().catch(() => undefined);
};

const posted = (body: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The only place where pages talk to the server. Never throws. */
export const askServer = async <Answer>(
  { path, body, read, failed, unreachable, quoteNetwork = false }: ApiCall<Answer>,
  { fetch, isOnline, signal, errors }: Network,
): Promise<Answer | Failure> => {
  try {
    const response = await fetch(path, { ...(body && posted(body)), signal });
    const json = await readJson(response);
    return read(json, response) ?? toFailure({ body: json, status: response.status }, errors, failed);
  } catch (error) {
    const networkError = quoteNetwork && error instanceof Error && error.message;
    return {
      kind: 'failed',
      message: unreachable,
      reaction: 'try-later',
      cause: isOnline() ? 'unreachable' : 'offline',
      ...(networkError && { networkError }),
    };
  }
};
