import type { APIUser, APIUserPrimaryGuild } from 'discord-api-types/v10';
import { tagBadgeHash } from './asset-hashes.ts';

/** When what is worn for a time ends: 1 January 2030, in seconds. */
export const EXPIRY = 1_893_456_000;

/** As JSON has it: an enum is its value. */
type Sent<T> = T extends string
  ? `${T}`
  : T extends number
    ? number
    : T extends object
      ? { readonly [Key in keyof T]: Sent<T[Key]> }
      : T;

type Documented = Sent<APIUser>;
type AlwaysSent = 'banner' | 'accent_color' | 'public_flags' | 'flags' | 'primary_guild';

/** On what is worn for a time. */
type Expiring = { readonly expires_at?: number };

type Undocumented = {
  readonly avatar_decoration_data?: Expiring | null;
  readonly collectibles?: { readonly nameplate?: Expiring } | null;
  readonly display_name_styles?: Readonly<Record<string, unknown>> | null;
  readonly banner_color?: string | null;
  readonly clan?: Documented['primary_guild'];
  readonly vad_colors?: readonly number[];
};

/** A user as GET /users/{id} sends it. */
export type UserObject = Documented & Required<Pick<Documented, AlwaysSent>> & Undocumented;

export type UserTraits = Pick<UserObject, 'id' | 'username'> & Partial<UserObject>;

export const primaryGuild = (guildId: string, tag: string, enabled = true) =>
  ({
    identity_guild_id: guildId,
    identity_enabled: enabled,
    tag,
    badge: tagBadgeHash(guildId),
  }) satisfies APIUserPrimaryGuild;

export const userObject = (traits: UserTraits): UserObject => {
  const { public_flags = 0, accent_color = null, primary_guild = null } = traits;
  const defaults: UserObject = {
    id: traits.id,
    username: traits.username,
    avatar: null,
    discriminator: '0',
    public_flags,
    flags: public_flags,
    banner: null,
    accent_color,
    global_name: null,
    avatar_decoration_data: null,
    collectibles: null,
    display_name_styles: null,
    banner_color: accent_color === null ? null : `#${accent_color.toString(16).padStart(6, '0')}`,
    clan: primary_guild,
    primary_guild,
  };
  return { ...defaults, ...traits };
};
