import type { Snowflake } from '#shared/snowflake.ts';
import type { BotToken } from './bot-token.ts';
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
  /** Anybody may ask this, so no token is shown. The code must be one that needs no escaping. */
  readonly getInvite: (code: string) => Promise<PlatformAnswer<DiscordInvite>>;
  /** What needs no token and costs nothing, to see whether somebody is there and what time it is for them. */
  readonly getGateway: () => Promise<PlatformAnswer<PlatformClock>>;
};

export type Question = keyof PlatformQuestions;
