import type { Answer } from '#sandbox/answer.ts';
import { createApi } from '#sandbox/api/api-routes.ts';
import { createBotTokens } from '#sandbox/api/bot-tokens.ts';
import { destinationOf } from '#sandbox/api/destination.ts';
import { createInvites } from '#sandbox/api/invites.ts';
import { bans, gatewayFailures, rateLimited, unauthorized } from '#sandbox/api/platform-errors.ts';
import { createRateLimits, type LimitSettings } from '#sandbox/api/rate-limits.ts';
import { createFindUser } from '#sandbox/profiles/generated-profiles.ts';
import { CALL_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordClient } from '#server/platform/discord-client.ts';
import { parseDiscordApplication, parseDiscordUser } from '#server/platform/wire/discord-objects.ts';
import {
  readPlatformAnswer,
  type AnswerReader,
  type PlatformAnswer,
} from '#server/platform/wire/platform-answer.ts';
import type { Ledger } from './ledger.ts';
import { BEGIN_MS, type Host, type Nature } from './schedule.ts';

/** What it says in place of an answer; null: nothing. */
const MOODS = {
  calm: null,
  unauthorized,
  busy: rateLimited('user', 2_000),
  shared: rateLimited('shared', 2_000),
  failing: gatewayFailures[502],
  banning: bans.json,
  silent: null,
} satisfies Record<string, Answer | null>;
export type Mood = keyof typeof MOODS;

const UNKNOWN_USER = 10_013;
/** Requests may arrive so much closer together than they left; answers take as long as they like. */
const WAY_MS = 60;
const SLOW_SHARE = 0.02;
const SLOW_MS = 8_000;

export type SimulatedPlatform = ReturnType<typeof createSimulatedPlatform>;

/** The sandbox without its sockets: its tokens, limits, profiles and answers, read as the platform's are. */
export const createSimulatedPlatform = (nature: Nature, ledger: Ledger, settings: LimitSettings) => {
  const { schedule, dice, tell } = nature;
  const tokens = createBotTokens();
  const now = (): number => BEGIN_MS + schedule.nowMs();
  const findUser = createFindUser({ notFoundShare: 0, now, isBot: tokens.isBot });
  const limits = createRateLimits(settings);
  const api = createApi({ now, tokens, limits, findUser, invites: createInvites() });
  let mood: Mood = 'calm';
  let moodShare = 0;

  const answerTo = (path: string, token: string): Answer | null => {
    ledger.arrived();
    if (dice.chance(moodShare)) return MOODS[mood];
    const asked = { method: 'GET', clientIp: '', userAgent: '', authorization: `Bot ${token}` };
    const answer = api({ ...destinationOf(`v10${path}`), ...asked });
    if (answer.status === 429) ledger.limited();
    return answer;
  };
  const never = (): never => {
    throw new TypeError('Nobody should ask this.');
  };

  return {
    mint: tokens.mint,
    become: (next: Mood, share: number): void => {
      [mood, moodShare] = [next, share];
    },
    clientOf: (host: Host): DiscordClient => {
      const ask = <T>(
        path: string,
        { botId, secret }: BotToken,
        reader: AnswerReader<T>,
        untilMs = Infinity,
      ) =>
        new Promise<PlatformAnswer<T>>((resolve) => {
          ledger.departed(secret.reveal());
          const timeout = { kind: 'failed', reason: 'timeout' } as const;
          host.run(Math.min(CALL_MS, untilMs - host.clock.monotonicMs()), () => resolve(timeout));
          schedule.in(dice.below(WAY_MS), () => {
            const answer = answerTo(path, secret.reveal());
            tell('platform', `${answer?.status ?? 'no answer'} to ${host.name} for ${path} by ${botId}`);
            if (answer === null) return;
            const { status, headers, body } = answer;
            const backMs = dice.below(dice.chance(SLOW_SHARE) ? SLOW_MS : WAY_MS);
            const response = { status, headers, text: String(body) };
            host.run(backMs, () => resolve(readPlatformAnswer(response, reader)));
          });
        });
      return {
        getUser: (id, token, deadlineMs) =>
          ask(`/users/${id}`, token, { parse: parseDiscordUser, unknownCode: UNKNOWN_USER }, deadlineMs),
        getOwnUser: (token) => ask('/users/@me', token, { parse: parseDiscordUser }),
        getOwnApplication: (token) => ask('/applications/@me', token, { parse: parseDiscordApplication }),
        getInvite: never,
        getGateway: never,
        close: () => {},
      };
    },
  };
};
