import type { Snowflake } from '#shared/snowflake.ts';
import type { BotToken } from '../bot-token.ts';
import type { DiscordApplication, DiscordInvite, DiscordUser, PlatformClock } from './discord-objects.ts';
import type { PlatformAnswer } from './platform-answer.ts';

/** The platform's API, as much of it as we use. */
export type PlatformQuestions = {
  /** Answers within `patienceMs`, and within the deadline of every call. */
  readonly getUser: (
    id: Snowflake,
    token: BotToken,
    patienceMs: number,
  ) => Promise<PlatformAnswer<DiscordUser>>;
  /** Whose token it is. */
  readonly getOwnUser: (token: BotToken) => Promise<PlatformAnswer<DiscordUser>>;
  readonly getOwnApplication: (token: BotToken) => Promise<PlatformAnswer<DiscordApplication>>;
  /** Needs no token. The code must not need escaping. */
  readonly getInvite: (code: string) => Promise<PlatformAnswer<DiscordInvite>>;
  /** Needs no token and costs nothing: shows whether the platform answers, and what its clock says. */
  readonly getGateway: () => Promise<PlatformAnswer<PlatformClock>>;
};

export type Question = keyof PlatformQuestions;
