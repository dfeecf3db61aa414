import type { Profile } from '#shared/contract/profile.ts';

/** An ordinary profile of the sandbox, with everything optional left out. */
export const PROFILE: Profile = {
  id: '441997505123577857',
  username: 'marlow.finch',
  display_name: 'Marlow Finch',
  global_name: 'Marlow Finch',
  discriminator: '0',
  avatar_url: 'https://cdn.example/avatars/1/2.png',
  banner_url: null,
  created_at: '2018-05-04T16:20:17.137Z',
  badge_url: null,
  accent_color: null,
  banner_color: null,
  flags: [],
  public_flags: 0,
  clan: null,
  primary_guild: null,
  bot: false,
  system: false,
  avatar_decoration_url: null,
  avatar_decoration_sku_id: null,
  avatar_decoration_expires_at: null,
  nameplate: null,
  display_name_styles: null,
  speaking_colors: [],
};
