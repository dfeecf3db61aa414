import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { CdnUrls } from '#shared/cdn-url.ts';
import type {
  DisplayNameStyles,
  GuildIdentity,
  Nameplate,
  Profile,
  ProfileFlag,
} from '#shared/contract/profile.ts';
import { FLAG_NAMES, KNOWN_FLAGS } from '#shared/flags.ts';
import { fieldOf, isRecord } from '#shared/json.ts';
import { NAME_EFFECTS, NAME_FONTS } from '#shared/name-styles.ts';
import { NAMEPLATE_PALETTES } from '#shared/colors.ts';
import { isPlausibleId, snowflakeCreatedMs } from '#shared/snowflake.ts';

/** Names are passed on unchanged, and shown as text. */
export const toProfile = (user: DiscordUser, cdn: CdnUrls): Profile => {
  const color = toColor(user.accentColor);
  const decorationUrl = cdn.decoration(fieldOf(user.decoration, 'asset'));
  const decoration = toItem(decorationUrl === null ? null : user.decoration);
  return {
    id: user.id,
    username: user.username,
    display_name: user.globalName || user.username,
    global_name: user.globalName,
    discriminator: user.discriminator,
    avatar_url: cdn.avatar(user.id, user.avatar) ?? cdn.defaultAvatar(user.id, user.discriminator),
    banner_url: cdn.banner(user.id, user.banner),
    created_at: new Date(snowflakeCreatedMs(user.id)).toISOString(),
    badge_url: toBadgeUrl(user.primaryGuild, cdn),
    accent_color: color,
    // The platform derives it from the accent colour and sends it as text; only the integer is trusted.
    banner_color: color,
    flags: toFlags(BigInt(user.publicFlags) | BigInt(user.flags)),
    public_flags: user.publicFlags,
    clan: toGuildIdentity(user.clan),
    primary_guild: toGuildIdentity(user.primaryGuild),
    bot: user.bot,
    system: user.system,
    avatar_decoration_url: decorationUrl,
    avatar_decoration_sku_id: decoration.sku_id,
    avatar_decoration_expires_at: decoration.expires_at,
    nameplate: toNameplate(user.nameplate, cdn),
    display_name_styles: toNameStyles(user.nameStyles),
    speaking_colors: toColors(user.speakingColors),
  };
};

/** Some are beyond bit 31, where JavaScript's bit operators end. */
const toFlags = (bits: bigint): ProfileFlag[] =>
  KNOWN_FLAGS.filter(({ value }) => (bits & BigInt(value)) !== 0n).map(({ id, badge }) => ({
    id,
    name: FLAG_NAMES[id],
    image: badge === undefined ? null : `/badges/${badge}.svg`,
  }));

/** The platform allows four characters, each of which may be a sequence of several. */
const MAX_TAG_LENGTH = 32;

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

const toGuildIdentity = (identity: unknown): GuildIdentity | null => {
  const { identity_enabled: isWorn, identity_guild_id: guildId, tag } = fieldsOf(identity);
  if (isWorn !== true || !isPlausibleId(guildId)) return null;
  const isTag = typeof tag === 'string' && tag.length <= MAX_TAG_LENGTH;
  return { tag: isTag ? tag : null, identity_guild_id: guildId };
};

const toBadgeUrl = (identity: unknown, cdn: CdnUrls): string | null => {
  const { identity_enabled: isWorn, identity_guild_id: guildId, badge } = fieldsOf(identity);
  return isWorn === true ? cdn.guildTagBadge(guildId, badge) : null;
};

const MAX_LABEL_LENGTH = 300;

const toColor = (value: unknown): string | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xff_ff_ff
    ? `#${value.toString(16).padStart(6, '0')}`
    : null;

const MAX_COLORS = 5;

const toColors = (values: unknown): string[] =>
  (Array.isArray(values) ? values : [])
    .map(toColor)
    .filter((color) => color !== null)
    .slice(0, MAX_COLORS);

const LAST_SECOND = 8.64e12;

const toItem = (collectible: unknown) => {
  const { sku_id: skuId, expires_at: expiresAt } = fieldsOf(collectible);
  const expires = Number.isInteger(expiresAt) && Number(expiresAt) > 0 && Number(expiresAt) <= LAST_SECOND;
  return {
    sku_id: isPlausibleId(skuId) ? skuId : null,
    expires_at: expires ? new Date(Number(expiresAt) * 1_000).toISOString() : null,
  };
};

const toNameplate = (nameplate: unknown, cdn: CdnUrls): Nameplate | null => {
  const { asset, label, palette } = fieldsOf(nameplate);
  const urls = cdn.nameplate(asset);
  if (urls === null) return null;
  return {
    ...urls,
    ...toItem(nameplate),
    label: typeof label === 'string' && label !== '' && label.length <= MAX_LABEL_LENGTH ? label : null,
    palette: Object.keys(NAMEPLATE_PALETTES).find((known) => known === palette) ?? null,
  };
};

const toNameStyles = (styles: unknown): DisplayNameStyles | null => {
  if (!isRecord(styles)) return null;
  const { font_id, effect_id } = styles;
  const font = NAME_FONTS.find((_, place) => place + 1 === font_id) ?? 'default';
  const effect = NAME_EFFECTS.find((_, place) => place + 1 === effect_id) ?? 'solid';
  const colors = toColors(styles['colors']);
  return font === 'default' && effect === 'solid' && colors.length === 0 ? null : { font, effect, colors };
};
