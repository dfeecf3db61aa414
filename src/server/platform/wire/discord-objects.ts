import type { InviteType } from 'discord-api-types/v10';
import { isRecord } from '#shared/json.ts';
import { isPlausibleId, type Snowflake } from '#shared/snowflake.ts';

export type DiscordUser = NonNullable<ReturnType<typeof parseDiscordUser>>;

/** Who owns the application is none of our business. */
export type DiscordApplication = { readonly guildCount: number };

export type DiscordInvite = { readonly server: DiscordServer | null };
export type DiscordServer = { readonly guildId: string; readonly guildName: string };

export type PlatformClock = { readonly wallMs: number | null };

const GROUP_INVITE = 1 satisfies InviteType.GroupDM;
const FRIEND_INVITE = 2 satisfies InviteType.Friend;
const DISCRIMINATOR = /^\d{1,4}$/;

/** Unknown keys are only named: the platform adds some without notice. */
export const parseDiscordUser = (body: unknown) => {
  if (!isRecord(body)) return null;
  const { id, username, bot, system, discriminator, global_name, avatar, banner, ...more } = body;
  const { accent_color, banner_color: _derived, public_flags, flags, primary_guild, clan, ...worn } = more;
  const { avatar_decoration_data, collectibles, display_name_styles, vad_colors, ...unknown } = worn;
  const { nameplate, ...unknownCollectibles } = isRecord(collectibles) ? collectibles : {};
  if (typeof id !== 'string' || typeof username !== 'string') return null;
  return {
    id: id as Snowflake,
    username,
    bot: bot === true,
    system: system === true,
    discriminator: parseDiscriminator(discriminator),
    globalName: typeof global_name === 'string' ? global_name : null,
    publicFlags: parsePublicFlags(public_flags),
    flags: parseFlags(flags),
    // These are as they came.
    avatar,
    banner,
    accentColor: accent_color,
    primaryGuild: primary_guild,
    // The older name of the same thing; answers may carry either or both.
    clan: isRecord(clan) ? clan : primary_guild,
    decoration: avatar_decoration_data,
    nameplate,
    nameStyles: display_name_styles,
    speakingColors: vad_colors,
    unknownFields: [
      ...Object.keys(unknown),
      ...Object.keys(unknownCollectibles).map((key) => `collectibles.${key}`),
    ].filter((name) => FIELD_NAME.test(name)),
  };
};

/** What goes into the log: no ID, no token and no sentence looks like this. */
const FIELD_NAME = /^[a-z_]{1,40}(?:\.[a-z_]{1,40})?$/;

/** Null also if it does not say in how many servers it is: that is not to be taken for none. */
export const parseDiscordApplication = (body: unknown): DiscordApplication | null => {
  if (!isRecord(body) || typeof body['id'] !== 'string') return null;
  const guildCount = body['approximate_guild_count'];
  return isCount(guildCount) ? { guildCount } : null;
};

export const parseDiscordInvite = (body: unknown): DiscordInvite | null => {
  if (!isRecord(body)) return null;
  if (body['type'] === GROUP_INVITE || body['type'] === FRIEND_INVITE) return { server: null };
  if (!isRecord(body['guild'])) return null;
  const { id, name } = body['guild'];
  return isPlausibleId(id) && typeof name === 'string' ? { server: { guildId: id, guildName: name } } : null;
};

/** "0" stands for none. */
const parseDiscriminator = (value: unknown): string =>
  typeof value === 'string' && DISCRIMINATOR.test(value) ? value : '0';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const parseFlags = (value: unknown): number => (isCount(value) ? value : 0);

/** The platform has these as signed 32 bits, so bit 31 would show as a negative number. */
const parsePublicFlags = (value: unknown): number => {
  const isSigned = Number.isInteger(value) && Number(value) < 0 && Number(value) >= -(2 ** 31);
  return parseFlags(isSigned ? Number(value) + 2 ** 32 : value);
};
