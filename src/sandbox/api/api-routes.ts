import { hash } from 'node:crypto';
import { jsonAnswer, withHeaders, type Answer } from '../answer.ts';
import type { BotTokens } from './bot-tokens.ts';
import type { Destination } from './destination.ts';
import { generatedBot, type FindUser } from '../profiles/generated-profiles.ts';
import type { Invites } from './invites.ts';
import {
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
import type { UserObject } from '../profiles/user-object.ts';

export type ApiRequest = Destination & {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly userAgent: string | undefined;
  readonly clientIp: string;
};

type ApiDeps = {
  readonly now: () => number;
  readonly tokens: BotTokens;
  readonly limits: RateLimits;
  readonly findUser: FindUser;
  readonly invites: Invites;
};

const MAX_SNOWFLAKE = 9_223_372_036_854_775_807n;
const SNOWFLAKE = /^(?:0|[1-9]\d*)$/;
const SCHEME = 'Bot ';

export const tokenOf = ({ authorization }: ApiRequest): string =>
  authorization?.startsWith(SCHEME) ? authorization.slice(SCHEME.length) : '';

const found = (body: object): Answer => jsonAnswer(200, JSON.stringify(body));

const gateway = found({ url: 'wss://gateway.discord.gg' });

/** On the platform an application shares its id with its bot. */
const applicationObject = (bot: UserObject, owner: UserObject, guildCount: number): object => ({
  id: bot.id,
  name: bot.username,
  icon: null,
  description: '',
  type: null,
  bot,
  bot_public: true,
  bot_require_code_grant: false,
  integration_types_config: { '0': {}, '1': {} },
  verify_key: hash('sha256', `verify-key:${bot.id}`),
  flags: 0,
  flags_new: '0',
  redirect_uris: [],
  interactions_endpoint_url: null,
  role_connections_verification_url: null,
  owner,
  approximate_guild_count: guildCount,
  approximate_user_install_count: 0,
  approximate_user_authorization_count: 0,
  explicit_content_filter: 0,
  team: null,
  eligible_oauth2_scopes: [],
});

const currentUserObject = (bot: UserObject): object => ({
  ...bot,
  mfa_enabled: true,
  locale: 'en-US',
  premium_type: 0,
  email: null,
  verified: true,
});

export const createApi = (deps: ApiDeps): ((request: ApiRequest) => Answer) => {
  const { now, tokens, limits, findUser, invites } = deps;
  const [ownerOfAll] = SAMPLE_USERS.values();

  const userAnswer = (idText: string): Answer => {
    if (!SNOWFLAKE.test(idText)) return notASnowflake(idText);
    // The length check spares BigInt kilobytes of digits.
    if (idText.length > 40 || BigInt(idText) > MAX_SNOWFLAKE) return snowflakeTooLarge;
    const user = findUser(idText);
    return user === undefined ? unknownUser : found(user);
  };

  const inviteAnswer = ({ key }: ApiRequest): Answer => {
    const invite = invites.find(key);
    return invite === undefined ? unknownInvite : found(invite);
  };

  const answerOf = (request: ApiRequest, botId: string): Answer => {
    const { route, key } = request;
    if (route === 'users/{id}') return userAnswer(key);
    if (route === 'invites/{code}') return inviteAnswer(request);
    const bot = generatedBot(botId);
    return found(
      route === 'users/@me'
        ? currentUserObject(bot)
        : applicationObject(bot, ownerOfAll ?? bot, tokens.guildCountOf(botId)),
    );
  };

  const botAnswer = (request: ApiRequest, botId: string): Answer => {
    const nowMs = now();
    const spend = limits.spendSlot(request.route, botId, nowMs);
    const headers = limits.headersOf(request.route, spend, nowMs);
    if (!spend.allowed) return rateLimited('user', spend.resetAfterMs, headers);
    return withHeaders(answerOf(request, botId), headers);
  };

  return (request) => {
    const { route, method, authorization, clientIp } = request;
    if (route === 'other') return notFound;
    if (method !== 'GET') return methodNotAllowed;
    if (route === 'gateway') return gateway;
    const botId = tokens.botIdOf(tokenOf(request));
    // Invites are readable without any credentials, but not with bad ones.
    const isAnonymous = route === 'invites/{code}' && authorization === undefined;
    if (botId === undefined && !isAnonymous) return unauthorized;

    const waitMs = limits.spendGlobal(botId ?? clientIp, now());
    if (waitMs !== null) return rateLimited('global', waitMs);
    return botId === undefined ? inviteAnswer(request) : botAnswer(request, botId);
  };
};
