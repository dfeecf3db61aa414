import { isRecord } from './json-record.ts';

/** What we ask of a bot's application: in how many servers it is. Who owns it is none of our business. */
export type DiscordApplication = { readonly guildCount: number };

export const parseDiscordApplication = (body: unknown): DiscordApplication | null => {
  if (!isRecord(body) || typeof body['id'] !== 'string') return null;
  const count = body['approximate_guild_count'];
  return { guildCount: typeof count === 'number' ? count : 0 };
};
