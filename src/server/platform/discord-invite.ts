import { isRecord } from './json-record.ts';

/** What we ask of an invite: which server it leads to. */
export type DiscordInvite = { readonly guildId: string; readonly guildName: string };

const ID = /^\d{1,20}$/;

/** Null also for an invite to a group chat, which has no server. */
export const parseDiscordInvite = (body: unknown): DiscordInvite | null => {
  if (!isRecord(body) || !isRecord(body['guild'])) return null;
  const { id, name } = body['guild'];
  return typeof id === 'string' && ID.test(id) && typeof name === 'string'
    ? { guildId: id, guildName: name }
    : null;
};
