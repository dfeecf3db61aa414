import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { generatedBot, generatedUser } from './generated-profiles.ts';
import { SAMPLE_USERS, UNKNOWN_USER_ID } from './sample-profiles.ts';
import type { UserObject } from './user-object.ts';

export type UserDirectory = {
  readonly find: (id: string) => UserObject | undefined;
  /** The body of GET /users/{id}. */
  readonly json: (id: string) => string | undefined;
};

export type UserDirectoryDeps = {
  readonly seed: string;
  readonly notFoundShare: number;
  readonly now: () => number;
  readonly isBot: (id: string) => boolean;
};

/** Smaller ids would be older than the platform's first users. */
const SMALLEST_DIGITS = 17;

export const createUserDirectory = ({
  seed,
  notFoundShare,
  now,
  isBot,
}: UserDirectoryDeps): UserDirectory => {
  const sampleBodies = new Map([...SAMPLE_USERS].map(([id, user]) => [id, JSON.stringify(user)]));

  const find = (id: string): UserObject | undefined => {
    const sample = SAMPLE_USERS.get(id);
    if (sample !== undefined) return sample;
    if (id === UNKNOWN_USER_ID || id.length < SMALLEST_DIGITS) return undefined;
    if (snowflakeCreatedMs(id as Snowflake) > now()) return undefined;
    return isBot(id) ? generatedBot(seed, id) : generatedUser(seed, id, notFoundShare);
  };

  return {
    find,
    json: (id) => {
      const body = sampleBodies.get(id);
      if (body !== undefined) return body;
      const user = find(id);
      return user && JSON.stringify(user);
    },
  };
};
