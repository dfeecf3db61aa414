import type { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { errors, type Dispatcher } from 'undici';
import manifest from '#package.json' with { type: 'json' };
import { CALL_MS, HEADERS_MS } from '#server/deadlines.ts';
import type { Clock } from '#server/system.ts';
import type { BotToken } from './bot-token.ts';
import { createHttpPool } from './http-pool.ts';
import {
  parseDiscordApplication,
  parseDiscordInvite,
  parseDiscordUser,
  type PlatformClock,
} from './wire/discord-objects.ts';
import {
  readPlatformAnswer,
  type AnswerReader,
  type PlatformAnswer,
  type PlatformApi,
  type PlatformResponse,
} from './wire/platform-answer.ts';

/** Sends without any limit: only a permit may call it. */
export type DiscordClient = PlatformApi & { readonly close: () => Promise<void> };

export type DiscordClientDeps = {
  readonly clock: Clock;
  readonly apiUrl: string;
  /** The site's own address: the platform turns away requests that do not name themselves. */
  readonly publicUrl: string;
};

type Request = { readonly path: string; readonly token?: BotToken; readonly deadlineMs?: number };

const MAX_BODY_BYTES = 65_536;
const CONNECTIONS = 64;
const UNKNOWN_USER = 10_013 satisfies RESTJSONErrorCodes.UnknownUser;
const UNKNOWN_INVITE = 10_006 satisfies RESTJSONErrorCodes.UnknownInvite;

export const createDiscordClient = (deps: DiscordClientDeps): DiscordClient => {
  const { clock, apiUrl, publicUrl } = deps;
  const { origin, pathname } = new URL(apiUrl);
  const userAgent = `DiscordBot (${publicUrl}, ${manifest.version}) Whoflake`;
  const pool = createHttpPool(origin, CONNECTIONS);

  const get = async ({ path, token, deadlineMs = Infinity }: Request): Promise<PlatformResponse> => {
    const deadline = new AbortController();
    const abortAfter = (delayMs: number) =>
      clock.after(Math.min(delayMs, deadlineMs - clock.monotonicMs()), () => deadline.abort());
    const cancelTotal = abortAfter(CALL_MS);
    const cancelHeaders = abortAfter(HEADERS_MS);
    try {
      const response = await pool.request({
        method: 'GET',
        path: pathname + path,
        headers: {
          ...(token !== undefined && { authorization: `Bot ${token.secret.reveal()}` }),
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

  const request = <T>(what: Request, reader: AnswerReader<T>): Promise<PlatformAnswer<T>> =>
    get(what)
      .then((response) => readPlatformAnswer(response, reader))
      // The error may hold the request with its token, so only its kind is passed on.
      .catch((error: unknown) => ({ kind: 'failed', reason: isTimeout(error) ? 'timeout' : 'network' }));

  return {
    getUser: async (id, token, deadlineMs) => {
      const reader = { parse: parseDiscordUser, unknownCode: UNKNOWN_USER };
      const answer = await request({ path: `/users/${id}`, token, deadlineMs }, reader);
      return answer.kind === 'found' && answer.value.id !== id ? { kind: 'foreign' } : answer;
    },
    getOwnUser: (token) => request({ path: '/users/@me', token }, { parse: parseDiscordUser }),
    getOwnApplication: (token) =>
      request({ path: '/applications/@me', token }, { parse: parseDiscordApplication }),
    getInvite: (code) =>
      request({ path: `/invites/${code}` }, { parse: parseDiscordInvite, unknownCode: UNKNOWN_INVITE }),
    getGateway: () => request({ path: '/gateway' }, { parse: (_body, { date }) => readClock(date) }),
    close: async () => {
      if (!pool.closed) await pool.close();
    },
  };
};

const readClock = (date: unknown): PlatformClock => {
  const wallMs = Date.parse(String(date));
  return { wallMs: Number.isNaN(wallMs) ? null : wallMs };
};

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
