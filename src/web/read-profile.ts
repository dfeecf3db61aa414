import type { ProfileAnswer as Answer } from '#shared/contract/profile.ts';
import { NAME_EFFECTS, NAME_FONTS } from '#shared/name-styles.ts';
import { NAMEPLATE_PALETTES } from '#shared/colors.ts';
import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { fieldsOf } from './ask-server.ts';

type Nullable<Fields, Name extends keyof Fields> = Omit<Fields, Name> & {
  readonly [Key in Name]: Fields[Key] | null;
};

/** A profile as pages show it: what the contract promises, and may still be missing from an answer, can be null. */
export type ProfileAnswer = Nullable<Omit<Answer, 'pictures'>, 'display_name' | 'avatar_url'> & {
  readonly pictures: Nullable<Answer['pictures'], 'avatar_url'>;
};
export type Profile = Omit<ProfileAnswer, 'looked_up_at' | 'pictures'>;

type Readers<Shape> = { readonly [Name in keyof Shape]: (value: unknown) => Shape[Name] };
type Whole<Shape, Name extends keyof Shape> = Omit<Shape, Name> & {
  readonly [Key in Name]: NonNullable<Shape[Key]>;
};

const readFields = <Shape>(value: unknown, readers: Readers<Shape>): Shape => {
  const fields = fieldsOf(value);
  const entries = Object.entries<(field: unknown) => unknown>(readers);
  return Object.fromEntries(entries.map(([name, read]) => [name, read(fields[name])])) as Shape;
};

/** Null without what is needed of it. */
const objectOf =
  <Shape, Name extends keyof Shape>(readers: Readers<Shape>, ...needed: readonly Name[]) =>
  (value: unknown): Whole<Shape, Name> | null => {
    const read = readFields(value, readers);
    return needed.every((name) => read[name] !== null) ? (read as Whole<Shape, Name>) : null;
  };

const listOf =
  <Item>(read: (item: unknown) => Item | null) =>
  (value: unknown): Item[] =>
    Array.isArray(value) ? value.flatMap((item) => read(item) ?? []) : [];

const oneOf =
  <Name>(names: readonly Name[]) =>
  (value: unknown): Name | null =>
    names.find((name) => name === value) ?? null;

const matching =
  (isWanted: (text: string) => boolean) =>
  (value: unknown): string | null =>
    typeof value === 'string' && isWanted(value) ? value : null;

const text = matching(() => true);
const filled = matching((value) => value !== '');
const color = matching((value) => /^#[0-9a-f]{6}$/i.test(value));
export const moment = matching((value) => !Number.isNaN(Date.parse(value)));
/** On the web, or on this site; nothing that a browser would run. */
const address = matching((value) => /^(?:https?:\/\/|\/(?!\/))/.test(value));
const yes = (value: unknown): boolean => value === true;

const guild = objectOf({ tag: text, identity_guild_id: filled }, 'identity_guild_id');
const flag = objectOf({ id: text, name: text, image: address }, 'id');
const plate = { static_url: address, animated_url: address };
const nameStyles = { font: oneOf(NAME_FONTS), effect: oneOf(NAME_EFFECTS), colors: listOf(color) };
const pictures = {
  avatar_url: address,
  banner_url: address,
  badge_url: address,
  avatar_decoration_url: address,
};

const profileReaders = {
  username: text,
  display_name: text,
  global_name: text,
  discriminator: (value: unknown) => text(value) || '0',
  ...pictures,
  created_at: moment,
  accent_color: color,
  banner_color: color,
  /** Each once: they are the keys of a list. */
  flags: (value: unknown) => [
    ...new Map(
      listOf(flag)(value).map((item) => [item.id, { ...item, name: item.name ?? item.id }]),
    ).values(),
  ],
  public_flags: (value: unknown) => (Number.isSafeInteger(value) ? Number(value) : 0),
  clan: guild,
  primary_guild: guild,
  bot: yes,
  system: yes,
  avatar_decoration_sku_id: text,
  avatar_decoration_expires_at: moment,
  nameplate: objectOf(
    {
      ...plate,
      sku_id: text,
      expires_at: moment,
      label: text,
      palette: oneOf(Object.keys(NAMEPLATE_PALETTES)),
    },
    'static_url',
    'animated_url',
  ),
  display_name_styles: objectOf(nameStyles, 'font', 'effect'),
  speaking_colors: listOf(color),
  looked_up_at: moment,
};

const ownPictureReaders = {
  ...pictures,
  nameplate: objectOf(plate, 'static_url', 'animated_url'),
  expires_at: (value: unknown) => moment(value) ?? '',
};

/** Nothing of the body is taken on trust: it may come from a proxy, or from a server of another version. */
export const readProfile = (body: unknown, askedId: string, nowMs: number): ProfileAnswer | undefined => {
  const profile = readFields(body, profileReaders);
  const { username, display_name, global_name } = profile;
  if (username === null && display_name === null && global_name === null) return undefined;
  const iso = (ms: number): string => new Date(ms).toISOString();
  return {
    id: askedId,
    ...profile,
    username: username ?? '',
    created_at: profile.created_at ?? iso(snowflakeCreatedMs(askedId as Snowflake)),
    looked_up_at: profile.looked_up_at ?? iso(nowMs),
    pictures: readFields(fieldsOf(body)['pictures'] ?? body, ownPictureReaders),
  };
};
