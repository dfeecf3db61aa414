import type { DiscordGuildIdentity, DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { CdnUrls } from '#shared/cdn-url.ts';
import type { GuildIdentity, Profile } from '#shared/contract/profile.ts';
import { flagsFromBits } from '#shared/flags.ts';
import { isPlausibleId, snowflakeCreatedMs } from '#shared/snowflake.ts';
import { toColor, toNameplate, toNameStyles, toOrigin } from './adornments.ts';

/** The one translation from the platform's objects to ours. Names are passed on unchanged, and shown as text. */
export const toProfile = (user: DiscordUser, cdn: CdnUrls): Profile => {
  const color = toColor(user.accentColor);
  const primaryGuild = user.primaryGuild;
  const decorationUrl = cdn.decoration(user.decoration?.asset);
  const decoration = toOrigin(decorationUrl === null ? null : user.decoration);
  return {
    id: user.id,
    username: user.username,
    display_name: user.globalName || user.username,
    global_name: user.globalName,
    discriminator: user.discriminator,
    avatar_url: cdn.avatar(user.id, user.avatar) ?? cdn.defaultAvatar(user.id, user.discriminator),
    banner_url: cdn.banner(user.id, user.banner),
    created_at: new Date(snowflakeCreatedMs(user.id)).toISOString(),
    badge_url:
      primaryGuild?.enabled === true ? cdn.guildTagBadge(primaryGuild.guildId, primaryGuild.badge) : null,
    accent_color: color,
    // The platform derives it from the accent colour and sends it as text; only the integer is trusted.
    banner_color: color,
    flags: flagsFromBits(bitwiseOr(user.publicFlags, user.flags)),
    public_flags: user.publicFlags,
    clan: toGuildIdentity(user.clan),
    primary_guild: toGuildIdentity(primaryGuild),
    bot: user.bot,
    system: user.system,
    avatar_decoration_url: decorationUrl,
    avatar_decoration_sku_id: decoration.sku_id,
    avatar_decoration_expires_at: decoration.expires_at,
    nameplate: toNameplate(user.nameplate, cdn),
    display_name_styles: toNameStyles(user.nameStyles),
  };
};

/** The platform allows four characters, each of which may be a sequence of several. */
const MAX_TAG_LENGTH = 32;

const toTag = (tag: unknown): string | null =>
  typeof tag === 'string' && tag.length <= MAX_TAG_LENGTH ? tag : null;

const toGuildIdentity = (identity: DiscordGuildIdentity | null): GuildIdentity | null => {
  if (identity === null || !identity.enabled || !isPlausibleId(identity.guildId)) return null;
  return { tag: toTag(identity.tag), identity_guild_id: identity.guildId };
};

const bitwiseOr = (a: number, b: number): number => Number(BigInt(a) | BigInt(b));
