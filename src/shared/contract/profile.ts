import { Type, type Static } from 'typebox';
import { ProofSchema } from './challenge.ts';

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

/** What a lookup is asked with; the field for the id is named after the platform. */
export const lookupBodySchema = (idField: string) =>
  Type.Object(
    {
      [idField]: Type.String({ description: 'The user ID; a mention or a link to the profile will do.' }),
      proof: ProofSchema,
    },
    { additionalProperties: false },
  );

export const ProfileSchema = Type.Object(
  {
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
  },
  { title: 'Profile', description: 'The profile.' },
);

export const NotFoundSchema = Type.Object(
  {
    id: Type.String(),
    created_utc: Type.String(),
  },
  { title: 'NotFound', description: 'Nobody has this ID; when it was made can be told all the same.' },
);

export type GuildIdentity = Static<typeof GuildIdentitySchema>;
export type ProfileFlag = Static<typeof ProfileFlagSchema>;
export type Profile = Static<typeof ProfileSchema>;
export type NotFound = Static<typeof NotFoundSchema>;
