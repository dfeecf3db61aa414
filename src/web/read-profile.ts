import type {
  DisplayNameStyles,
  GuildIdentity,
  Nameplate,
  ProfileAnswer as Answer,
  ProfileFlag,
} from '#shared/contract/profile.ts';
import { NAME_EFFECTS, NAME_FONTS } from '#shared/name-styles.ts';
import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { fieldsOf, type Fields } from './ask-server.ts';

type Nullable<Fields, Name extends keyof Fields> = Omit<Fields, Name> & {
  readonly [Key in Name]: Fields[Key] | null;
};

/** A profile as pages show it: what the contract promises, and may still be missing from an answer, can be null. */
export type ProfileAnswer = Nullable<Omit<Answer, 'pictures'>, 'display_name' | 'avatar_url'> & {
  readonly pictures: Nullable<Answer['pictures'], 'avatar_url'>;
};
export type Profile = Omit<ProfileAnswer, 'looked_up_at' | 'pictures'>;

const matching =
  (isWanted: (text: string) => boolean) =>
  (value: unknown): string | null =>
    typeof value === 'string' && isWanted(value) ? value : null;

const text = matching(() => true);
const color = matching((value) => /^#[0-9a-f]{6}$/i.test(value));
export const moment = matching((value) => !Number.isNaN(Date.parse(value)));
/** On the web, or on this site; nothing that a browser would run. */
const address = matching((value) => /^(?:https?:\/\/|\/(?!\/))/.test(value));

const readList = <Item>(value: unknown, read: (item: unknown) => Item | null): Item[] =>
  Array.isArray(value) ? value.flatMap((item) => read(item) ?? []) : [];

const readFlag = (value: unknown): ProfileFlag | null => {
  const flag = fieldsOf(value);
  const id = text(flag['id']);
  return id === null ? null : { id, name: text(flag['name']) ?? id, image: address(flag['image']) };
};

const readGuild = (value: unknown): GuildIdentity | null => {
  const guild = fieldsOf(value);
  const id = text(guild['identity_guild_id']);
  return id ? { tag: text(guild['tag']), identity_guild_id: id } : null;
};

const readPlatePictures = (value: unknown): Pick<Nameplate, 'static_url' | 'animated_url'> | null => {
  const plate = fieldsOf(value);
  const still = address(plate['static_url']);
  const animated = address(plate['animated_url']);
  return still === null || animated === null ? null : { static_url: still, animated_url: animated };
};

const readNameplate = (value: unknown): Nameplate | null => {
  const pictures = readPlatePictures(value);
  const { sku_id, expires_at, label, palette } = fieldsOf(value);
  return (
    pictures && {
      ...pictures,
      sku_id: text(sku_id),
      expires_at: moment(expires_at),
      label: text(label),
      palette: text(palette),
    }
  );
};

const readStyles = (value: unknown): DisplayNameStyles | null => {
  const { font, effect, colors } = fieldsOf(value);
  const named = {
    font: NAME_FONTS.find((name) => name === font),
    effect: NAME_EFFECTS.find((name) => name === effect),
  };
  return named.font && named.effect
    ? { font: named.font, effect: named.effect, colors: readList(colors, color) }
    : null;
};

const uniqueById = <Item extends { readonly id: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

const readNames = (fields: Fields) => {
  const username = text(fields['username']);
  const display_name = text(fields['display_name']);
  const global_name = text(fields['global_name']);
  if (username === null && display_name === null && global_name === null) return undefined;
  const discriminator = text(fields['discriminator']) || '0';
  return { username: username ?? '', display_name, global_name, discriminator };
};

const readPictureUrls = (fields: Fields) => ({
  avatar_url: address(fields['avatar_url']),
  banner_url: address(fields['banner_url']),
  badge_url: address(fields['badge_url']),
  avatar_decoration_url: address(fields['avatar_decoration_url']),
});

/** Nothing of the body is taken on trust: it may come from a proxy, or from a server of another version. */
export const readProfile = (body: unknown, askedId: string, nowMs: number): ProfileAnswer | undefined => {
  const fields = fieldsOf(body);
  const names = readNames(fields);
  if (names === undefined) return undefined;
  const own = fieldsOf(fields['pictures'] ?? body);
  const createdMs = snowflakeCreatedMs(askedId as Snowflake);
  return {
    id: askedId,
    ...names,
    ...readPictureUrls(fields),
    created_at: moment(fields['created_at']) ?? new Date(createdMs).toISOString(),
    accent_color: color(fields['accent_color']),
    banner_color: color(fields['banner_color']),
    flags: uniqueById(readList(fields['flags'], readFlag)),
    public_flags: Number.isSafeInteger(fields['public_flags']) ? Number(fields['public_flags']) : 0,
    clan: readGuild(fields['clan']),
    primary_guild: readGuild(fields['primary_guild']),
    bot: fields['bot'] === true,
    system: fields['system'] === true,
    avatar_decoration_sku_id: text(fields['avatar_decoration_sku_id']),
    avatar_decoration_expires_at: moment(fields['avatar_decoration_expires_at']),
    nameplate: readNameplate(fields['nameplate']),
    display_name_styles: readStyles(fields['display_name_styles']),
    looked_up_at: moment(fields['looked_up_at']) ?? new Date(nowMs).toISOString(),
    pictures: {
      ...readPictureUrls(own),
      nameplate: readPlatePictures(own['nameplate']),
      expires_at: moment(own['expires_at']) ?? '',
    },
  };
};
