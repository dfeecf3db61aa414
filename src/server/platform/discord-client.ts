import type { IncomingMessage } from 'node:http';
import type { RESTJSONErrorCodes } from 'discord-api-types/v10';
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
} from './wire/platform-answer.ts';

/** Sends without any limit: only a permit may call it. */
export type DiscordClient = PlatformApi & { readonly close: () => void };

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

  const headersFor = (token: BotToken | undefined) => ({
    ...(token && { authorization: `Bot ${token.secret.reveal()}` }),
    'user-agent': userAgent,
    accept: 'application/json',
  });

  const request = async <T>(
    { path, token, deadlineMs = Infinity }: Request,
    reader: AnswerReader<T>,
  ): Promise<PlatformAnswer<T>> => {
    const deadline = new AbortController();
    const abortAfter = (delayMs: number) =>
      clock.after(Math.min(delayMs, deadlineMs - clock.monotonicMs()), () => deadline.abort());
    const cancelTotal = abortAfter(CALL_MS);
    const cancelHeaders = abortAfter(HEADERS_MS);
    try {
      const response = await pool.get(pathname + path, headersFor(token), deadline.signal);
      cancelHeaders();
      const { statusCode: status = 0, headers } = response;
      return readPlatformAnswer({ status, headers, text: await readText(response) }, reader);
    } catch {
      // The error may hold the request with its token, so only its kind is passed on.
      return { kind: 'failed', reason: deadline.signal.aborted ? 'timeout' : 'network' };
    } finally {
      cancelHeaders();
      cancelTotal();
    }
  };

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
    close: pool.close,
  };
};

const readClock = (date: unknown): PlatformClock => {
  const wallMs = Date.parse(String(date));
  return { wallMs: Number.isNaN(wallMs) ? null : wallMs };
};

/** We ask for no content encoding, so an encoded body is not for us; it is never unpacked. */
const readText = async (response: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  if (response.headers['content-encoding'] !== undefined) return null;
  return Buffer.concat(chunks).toString('utf8');
};
