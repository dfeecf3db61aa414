import { jsonAnswer, type Answer } from '../answer.ts';
import { applicationObject, currentUserObject } from './applications.ts';
import type { BotTokens } from './bot-tokens.ts';
import { generatedBot } from '../profiles/generated-profiles.ts';
import type { Invites } from './invites.ts';
import {
  invalidApiVersion,
  methodNotAllowed,
  notASnowflake,
  notFound,
  rateLimited,
  snowflakeTooLarge,
  unauthorized,
  unknownInvite,
  unknownUser,
} from './platform-errors.ts';
import type { RateLimits } from './rate-limits.ts';
import { SAMPLE_USERS } from '../profiles/sample-profiles.ts';
import type { UserDirectory } from '../profiles/user-directory.ts';

export type ApiRequest = {
  readonly method: string;
  /** The path after `/api/`, such as `v10/users/@me`. */
  readonly path: string;
  readonly query: string;
  readonly authorization: string | undefined;
  readonly userAgent: string | undefined;
  readonly clientIp: string;
};

const ROUTES = [
  ['users/@me', /^v10\/users\/@me$/],
  ['users/{id}', /^v10\/users\/[^/]+$/],
  ['applications/@me', /^v10\/applications\/@me$/],
  ['invites/{code}', /^v10\/invites\/[^/]+$/],
  ['gateway', /^v10\/gateway$/],
] as const;

export type RouteName = (typeof ROUTES)[number][0] | 'other';

export type ApiDeps = {
  readonly seed: string;
  readonly now: () => number;
  readonly tokens: BotTokens;
  readonly limits: RateLimits;
  readonly users: UserDirectory;
  readonly invites: Invites;
  readonly guildCounts: ReadonlyMap<string, number>;
};

const MAX_SNOWFLAKE = 9_223_372_036_854_775_807n;
const SCHEME = 'Bot ';
const DEAD_VERSION = /^v(?!10\/)\d+\//;

export const routeOf = (path: string): RouteName =>
  ROUTES.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other';

const keyOf = (path: string): string => {
  const key = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
};

export const tokenOf = ({ authorization }: ApiRequest): string =>
  authorization?.startsWith(SCHEME) ? authorization.slice(SCHEME.length) : '';

const gateway = jsonAnswer(200, JSON.stringify({ url: 'wss://gateway.discord.gg' }));

/** The platform behind its front end: authentication, limits and the five resources. */
export const createApi = (deps: ApiDeps): ((request: ApiRequest, route: RouteName) => Answer) => {
  const { seed, now, tokens, limits, users, invites, guildCounts } = deps;
  const [ownerOfAll] = SAMPLE_USERS.values();

  const findUser = (idText: string): Answer => {
    if (!/^\d+$/.test(idText)) return notASnowflake(idText);
    // The length check keeps BigInt from chewing on kilobytes of digits.
    if (idText.length > 40 || BigInt(idText) > MAX_SNOWFLAKE) return snowflakeTooLarge;
    const user = users.find(idText);
    return user === undefined ? unknownUser : jsonAnswer(200, JSON.stringify(user));
  };

  const userAnswer = (idText: string, botId: string): Answer => {
    const nowMs = now();
    const spend = limits.spendUserSlot(botId, nowMs);
    const headers = limits.headersOf(spend, nowMs);
    if (!spend.allowed) return rateLimited('user', spend.resetAfterMs, headers);
    const answer = findUser(idText);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  };

  const inviteAnswer = ({ path, query }: ApiRequest): Answer => {
    const invite = invites.find(keyOf(path), new URLSearchParams(query).get('with_counts') === 'true');
    return invite === undefined ? unknownInvite : jsonAnswer(200, JSON.stringify(invite));
  };

  const botAnswer = (request: ApiRequest, route: RouteName, botId: string): Answer => {
    if (route === 'users/{id}') return userAnswer(keyOf(request.path), botId);
    const bot = generatedBot(seed, botId);
    const body =
      route === 'users/@me'
        ? currentUserObject(bot)
        : applicationObject(bot, ownerOfAll ?? bot, guildCounts.get(botId) ?? 0);
    return jsonAnswer(200, JSON.stringify(body));
  };

  return (request, route) => {
    if (route === 'other') return DEAD_VERSION.test(request.path) ? invalidApiVersion : notFound;
    if (request.method !== 'GET') return methodNotAllowed;
    if (route === 'gateway') return gateway;
    const botId = tokens.botIdOf(tokenOf(request));
    const isInvite = route === 'invites/{code}';
    // Invites are readable without any credentials, but not with bad ones.
    if (botId === undefined && !(isInvite && request.authorization === undefined)) return unauthorized;

    const global = limits.spendGlobal(botId ?? request.clientIp, now());
    if (!global.allowed) return rateLimited('global', global.retryAfterMs);
    return botId === undefined || isInvite ? inviteAnswer(request) : botAnswer(request, route, botId);
  };
};
