import { tagBadgeHash } from './asset-hashes.ts';

/** When what is worn for a time ends: 1 January 2030, in seconds. */
export const EXPIRY = 1_893_456_000;

/** Older answers have no `expires_at`. */
type Collectible = { readonly asset: string; readonly sku_id: string; readonly expires_at?: number };

/** A user as GET /users/{id} sends it, with the keys that Discord sends but does not document. */
export type UserObject = {
  readonly id: string;
  readonly username: string;
  readonly avatar: string | null;
  readonly discriminator: string;
  readonly public_flags: number;
  readonly flags: number;
  readonly bot?: boolean;
  readonly system?: boolean;
  readonly banner: string | null;
  readonly accent_color: number | null;
  readonly global_name: string | null;
  readonly avatar_decoration_data?: Collectible | null;
  readonly collectibles?: {
    readonly nameplate: Collectible & { readonly label: string; readonly palette: string };
  } | null;
  readonly display_name_styles?: Readonly<Record<string, unknown>> | null;
  readonly banner_color?: string | null;
  readonly clan?: ReturnType<typeof primaryGuild> | null;
  readonly primary_guild: ReturnType<typeof primaryGuild> | null;
  readonly vad_colors?: readonly number[];
};

export type UserTraits = Pick<UserObject, 'id' | 'username'> & Partial<UserObject>;

export const primaryGuild = (guildId: string, tag: string, enabled = true) => ({
  identity_guild_id: guildId,
  identity_enabled: enabled,
  tag,
  badge: tagBadgeHash(guildId),
});

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
