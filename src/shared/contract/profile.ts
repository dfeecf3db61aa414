import { Type, type Static } from 'typebox';

const NullableString = Type.Union([Type.String(), Type.Null()]);

const GuildIdentitySchema = Type.Object({
  tag: NullableString,
  identity_guild_id: Type.String(),
});

const ProfileFlagSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  image: NullableString,
});

export const ProfileSchema = Type.Object({
  username: Type.String(),
  display_name: Type.String(),
  global_name: NullableString,
  discriminator: Type.String({ description: 'The string "0" means that the account has none.' }),
  avatar_url: Type.String(),
  banner_url: NullableString,
  created_at: Type.String(),
  badge_url: NullableString,
  accent_color: NullableString,
  banner_color: NullableString,
  flags: Type.Array(ProfileFlagSchema),
  public_flags: Type.Integer(),
  clan: Type.Union([GuildIdentitySchema, Type.Null()]),
  primary_guild: Type.Union([GuildIdentitySchema, Type.Null()]),
});

export const NotFoundSchema = Type.Object({
  id: Type.String(),
  created_utc: Type.String(),
});

export type GuildIdentity = Static<typeof GuildIdentitySchema>;
export type ProfileFlag = Static<typeof ProfileFlagSchema>;
export type Profile = Static<typeof ProfileSchema>;
export type NotFound = Static<typeof NotFoundSchema>;
