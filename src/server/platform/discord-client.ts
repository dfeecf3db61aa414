import type { Dispatcher } from 'undici';
import { errors, Pool } from 'undici';
import type { Events } from '#server/observability/events.ts';
import type { Clock } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { parseDiscordApplication, type DiscordApplication } from './discord-application.ts';
import { parseDiscordInvite, type DiscordInvite } from './discord-invite.ts';
import { parseDiscordUser, type DiscordUser } from './discord-user.ts';
import { readPlatformAnswer, type PlatformAnswer, type PlatformResponse } from './platform-answer.ts';

/** The platform's API, as much of it as we use. It gets a token per call and never sends it anywhere else. */
export type DiscordClient = {
  /** Answers within `patienceMs`, and within six seconds in any case. */
  readonly getUser: (
    id: Snowflake,
    token: string,
    patienceMs: number,
  ) => Promise<PlatformAnswer<DiscordUser>>;
  /** Whose token it is. */
  readonly getOwnUser: (token: string) => Promise<PlatformAnswer<DiscordUser>>;
  readonly getOwnApplication: (token: string) => Promise<PlatformAnswer<DiscordApplication>>;
  /** Anybody may ask this, so no token is shown. The code must be one that needs no escaping. */
  readonly getInvite: (code: string) => Promise<PlatformAnswer<DiscordInvite>>;
  readonly close: () => Promise<void>;
};

export type DiscordClientDeps = {
  readonly clock: Clock;
  /** The base of the API with its version, without a slash at the end. */
  readonly apiUrl: string;
  readonly userAgent: string;
  readonly onAnswer: Events['upstreamAnswered'];
};

const CONNECT_MS = 2_000;
const HEADERS_MS = 4_000;
const TOTAL_MS = 6_000;
const MAX_BODY_BYTES = 65_536;
const CONNECTIONS = 64;

export const createDiscordClient = (deps: DiscordClientDeps): DiscordClient => {
  const { clock, apiUrl, userAgent, onAnswer } = deps;
  const { origin, pathname } = new URL(apiUrl);
  // HTTP/1.1, because a connection that stalls must not stall the others; undici follows no redirect by itself.
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    allowH2: false,
    connect: { timeout: CONNECT_MS },
    // Our own deadlines hold, on our own clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const get = async ({ path, token, patienceMs = TOTAL_MS }: Question): Promise<PlatformResponse> => {
    const deadline = new AbortController();
    const abortAfter = (delayMs: number) =>
      clock.after(Math.min(delayMs, patienceMs), () => deadline.abort());
    const cancelTotal = abortAfter(TOTAL_MS);
    const cancelHeaders = abortAfter(HEADERS_MS);
    try {
      const response = await pool.request({
        method: 'GET',
        path: pathname + path,
        headers: {
          ...(token !== undefined && { authorization: `Bot ${token}` }),
          'user-agent': userAgent,
          accept: 'application/json',
        },
        signal: deadline.signal,
      });
      cancelHeaders();
      return { status: response.statusCode, headers: response.headers, text: await readText(response) };
    } finally {
      cancelHeaders();
      cancelTotal();
    }
  };

  const ask = async <T>(
    question: Question,
    parse: (body: unknown) => T | null,
  ): Promise<PlatformAnswer<T>> => {
    const sentMs = clock.monotonicMs();
    const answer = await get(question)
      .then((response) => readPlatformAnswer(response, parse))
      // The error may hold the request with its token, so nothing of it is passed on but its kind.
      .catch(
        (error: unknown) => ({ kind: 'failed', reason: isTimeout(error) ? 'timeout' : 'network' }) as const,
      );
    const outcome = answer.kind === 'failed' ? (`failed-${answer.reason}` as const) : answer.kind;
    onAnswer(outcome, clock.monotonicMs() - sentMs);
    return answer;
  };

  return {
    getUser: (id, token, patienceMs) => ask({ path: `/users/${id}`, token, patienceMs }, parseDiscordUser),
    getOwnUser: (token) => ask({ path: '/users/@me', token }, parseDiscordUser),
    getOwnApplication: (token) => ask({ path: '/applications/@me', token }, parseDiscordApplication),
    getInvite: (code) => ask({ path: `/invites/${code}` }, parseDiscordInvite),
    close: async () => {
      if (!pool.closed) await pool.close();
    },
  };
};

type Question = { readonly path: string; readonly token?: string; readonly patienceMs?: number };

/** We ask for no content encoding, so an encoded body is not for us; it is never unpacked. */
const readText = async (response: Dispatcher.ResponseData): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  if (response.headers['content-encoding'] !== undefined) return null;
  return Buffer.concat(chunks).toString('utf8');
};

const isTimeout = (error: unknown): boolean =>
  error instanceof errors.ConnectTimeoutError || (error instanceof Error && error.name === 'AbortError');
