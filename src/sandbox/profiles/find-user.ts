import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { generatedBot, generatedUser } from './generated-profiles.ts';
import { SAMPLE_USERS, UNKNOWN_USER_ID } from './sample-profiles.ts';
import type { UserObject } from './user-object.ts';

export type FindUser = (id: string) => UserObject | undefined;

export type FindUserDeps = {
  readonly notFoundShare: number;
  readonly now: () => number;
  readonly isBot: (id: string) => boolean;
};

/** Smaller ids would be older than the platform's first users; none is written with zeros before it. */
const ID = /^[1-9]\d{16,}$/;

export const createFindUser =
  ({ notFoundShare, now, isBot }: FindUserDeps): FindUser =>
  (id) => {
    const sample = SAMPLE_USERS.get(id);
    if (sample !== undefined) return sample;
    if (id === UNKNOWN_USER_ID || !ID.test(id)) return undefined;
    if (snowflakeCreatedMs(id as Snowflake) > now()) return undefined;
    return isBot(id) ? generatedBot(id) : generatedUser(id, notFoundShare);
  };
