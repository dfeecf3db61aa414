import { Type, type Static } from 'typebox';
import { NAME_EFFECTS, NAME_FONTS, type NameEffect, type NameFont } from '../name-styles.ts';
import { ProofSchema } from './challenge.ts';

const nullableString = (description?: string) =>
  Type.Union([Type.String(), Type.Null()], description === undefined ? {} : { description });
const NullableString = nullableString();

const GuildIdentitySchema = Type.Object({
  tag: NullableString,
  identity_guild_id: Type.String(),
});

const ProfileFlagSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  image: NullableString,
});

const SkuId = nullableString('The number in the platform’s shop.');
const ExpiresAt = nullableString('When it is taken off. Null if it is worn for good.');

const NameplateSchema = Type.Object({
  static_url: Type.String(),
  animated_url: Type.String({ description: 'The animated version, an APNG.' }),
  sku_id: SkuId,
  expires_at: ExpiresAt,
  label: nullableString('What the picture shows, in words; of older ones the name of a constant.'),
  palette: nullableString('The name of the colour palette behind the image, which is mostly transparent.'),
});

const DisplayNameStylesSchema = Type.Object({
  font: Type.Unsafe<NameFont>({ type: 'string', enum: NAME_FONTS }),
  effect: Type.Unsafe<NameEffect>({ type: 'string', enum: NAME_EFFECTS }),
  colors: Type.Array(Type.String(), { description: 'At most five, each as #rrggbb.' }),
});

export const LookupBodySchema = Type.Object(
  {
    discord_id: Type.String({ description: 'The user ID. A mention or a profile link works too.' }),
    proof: ProofSchema,
  },
  { additionalProperties: false },
);

export const ProfileSchema = Type.Object({
  id: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  global_name: NullableString,
  discriminator: Type.String({ description: '"0" if the account has none.' }),
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
  bot: Type.Boolean(),
  system: Type.Boolean({ description: 'Whether the account belongs to the platform itself.' }),
  avatar_decoration_url: nullableString('Animated with passthrough=true, still with passthrough=false.'),
  avatar_decoration_sku_id: SkuId,
  avatar_decoration_expires_at: ExpiresAt,
  nameplate: Type.Union([NameplateSchema, Type.Null()]),
  display_name_styles: Type.Union([DisplayNameStylesSchema, Type.Null()]),
  speaking_colors: Type.Array(Type.String(), {
    description: 'Of the ring around somebody who speaks. At most five, each as #rrggbb.',
  }),
});

/** Our addresses end like those of the CDN, so that sizes and formats are chosen in the same way. */
const PicturesSchema = Type.Object(
  {
    expires_at: Type.String(),
    avatar_url: Type.String(),
    banner_url: NullableString,
    badge_url: NullableString,
    avatar_decoration_url: NullableString,
    nameplate: Type.Union([Type.Pick(NameplateSchema, ['static_url', 'animated_url']), Type.Null()]),
  },
  {
    description:
      'The same pictures at an address of this site, for a few hours. The extension and the size may be changed.',
  },
);

export const ProfileAnswerSchema = Type.Object(
  {
    ...ProfileSchema.properties,
    looked_up_at: Type.String({ description: 'When the platform was asked.' }),
    pictures: PicturesSchema,
  },
  { title: 'Profile', description: 'The profile.' },
);

export const NotFoundSchema = Type.Object(
  {
    id: Type.String(),
    created_utc: Type.String(),
  },
  { title: 'NotFound', description: 'No profile was found. When the ID was created is known anyway.' },
);

export type GuildIdentity = Static<typeof GuildIdentitySchema>;
export type ProfileFlag = Static<typeof ProfileFlagSchema>;
export type Nameplate = Static<typeof NameplateSchema>;
export type DisplayNameStyles = Static<typeof DisplayNameStylesSchema>;
export type Profile = Static<typeof ProfileSchema>;
export type ProfileAnswer = Static<typeof ProfileAnswerSchema>;
export type ProfilePictures = ProfileAnswer['pictures'];
export type NotFound = Static<typeof NotFoundSchema>;
