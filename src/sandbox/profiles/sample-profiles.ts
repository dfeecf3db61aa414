import { animated, avatarHash, bannerHash, DECORATION_ASSETS, NAMEPLATE_ASSETS } from './asset-hashes.ts';
import { ODD_NAMES } from './odd-names.ts';
import { EXPIRY, primaryGuild, userObject, type UserObject, type UserTraits } from './user-object.ts';

export type SampleProfile = {
  readonly id: string;
  readonly label: string;
  readonly name?: string;
  readonly avatar?: string;
};

type Sample = { readonly label: string; readonly user: UserObject };

const SNOWDROP_GUILD = '332779590571257874';
const LANTERN_GUILD = '673347428472057875';
export const UNKNOWN_USER_ID = '794354273277177873';

const DOCUMENTED_AND_OBSERVED_BITS = [0, 1, 2, 3, 6, 7, 8, 9, 10, 14, 16, 17, 18, 19, 20, 22, 23];
const EVERY_PUBLIC_FLAG = DOCUMENTED_AND_OBSERVED_BITS.reduce((flags, bit) => flags | (1 << bit), 0);

const sample = (label: string, id: string, traits: Omit<UserTraits, 'id'>): Sample => ({
  label,
  user: userObject({ id, avatar: avatarHash(id), ...traits }),
});

const ORDINARY = '441997505123577857';
const ANIMATED = '776367000573177858';
const BOT = '615850567062777861';
const TWO_GUILDS = '1019612053951737865';

const SAMPLES: readonly Sample[] = [
  sample('Ordinary, with banner and accent', ORDINARY, {
    username: 'marlow.finch',
    global_name: 'Marlow Finch',
    banner: bannerHash(ORDINARY),
    accent_color: 0x4f7cac,
    public_flags: (1 << 6) | (1 << 9),
  }),
  sample('Animated avatar and banner', ANIMATED, {
    username: 'auroraquill',
    global_name: 'Aurora ✦ Quill',
    avatar: animated(avatarHash(ANIMATED)),
    banner: animated(bannerHash(ANIMATED)),
    accent_color: 0x7a4fd0,
    public_flags: 1 << 8,
    avatar_decoration_data: { asset: DECORATION_ASSETS.at(-1) as string, sku_id: '1144058844004233369' },
    collectibles: {
      nameplate: {
        sku_id: '1349849614198505602',
        asset: NAMEPLATE_ASSETS[0],
        label: 'COLLECTIBLES_NAMEPLATES_TWILIGHT_A11Y',
        palette: 'cobalt',
      },
    },
    display_name_styles: { font_id: 8, effect_id: 2, colors: [0x7a4fd0, 0x3fd0c9] },
  }),
  sample('Name in five colours, worn for a time', '562080512529657875', {
    username: 'prisma.lund',
    global_name: 'Prisma Lund',
    accent_color: 0x11121a,
    avatar_decoration_data: {
      asset: DECORATION_ASSETS[0] as string,
      sku_id: '1144058844004233369',
      expires_at: EXPIRY,
    },
    collectibles: {
      nameplate: {
        sku_id: '1349849614198505602',
        asset: NAMEPLATE_ASSETS[1],
        label: 'Snow drifting across a dark field under a half moon',
        palette: 'sky',
        expires_at: EXPIRY,
      },
    },
    display_name_styles: {
      font_id: 3,
      effect_id: 7,
      colors: [0xe4572e, 0xf3a712, 0x29a36a, 0x1f7a8c, 0x9b5de5],
    },
  }),
  sample('Letters in five colours', '562080764187897876', {
    username: 'gus.mmy',
    global_name: 'Gus 🍬 Mallow',
    display_name_styles: {
      font_id: 4,
      effect_id: 8,
      colors: [0xd7263d, 0xf46036, 0x2e8b57, 0x1b998b, 0x8e44ad],
    },
  }),
  sample('Server tag', '856418480084217864', {
    username: 'juniper_vale',
    global_name: 'Juniper',
    accent_color: 0x2f6f4f,
    public_flags: 1 << 7,
    primary_guild: primaryGuild(SNOWDROP_GUILD, 'SNOW'),
  }),
  sample('Clan other than the primary server', TWO_GUILDS, {
    username: 'tobiasreed',
    global_name: 'Tobias Reed',
    banner: bannerHash(TWO_GUILDS),
    primary_guild: primaryGuild(SNOWDROP_GUILD, 'SNOW'),
    clan: primaryGuild(LANTERN_GUILD, 'LAMP'),
  }),
  sample('Server tag taken off', '1047799286781177866', {
    username: 'pebblewren',
    global_name: 'Wren',
    primary_guild: primaryGuild(LANTERN_GUILD, 'LAMP', false),
  }),
  {
    label: 'No avatar',
    // As an older or leaner answer has it.
    user: {
      id: '1076972768253177859',
      username: 'quietharbor',
      global_name: 'Quiet Harbor',
      avatar: null,
      banner: null,
      accent_color: null,
      discriminator: '0',
      public_flags: 0,
      flags: 0,
      primary_guild: null,
    },
  },
  sample('Legacy discriminator', '135359489430777860', {
    username: 'Old Timer',
    discriminator: '4711',
    public_flags: 1 << 9,
  }),
  sample('Verified bot', BOT, {
    username: 'Snowplough',
    discriminator: '0420',
    banner: bannerHash(BOT),
    bot: true,
    public_flags: (1 << 16) | (1 << 19),
  }),
  sample('Team', '562081015846137877', {
    username: 'team562081015846137877',
    discriminator: '0000',
    avatar: null,
    public_flags: 1 << 10,
  }),
  sample('Provisional account', '562081267504377878', {
    username: 'player.4711',
    global_name: 'Player One',
    public_flags: 1 << 23,
  }),
  sample('System account', '694081209120777874', {
    username: 'flake.system',
    global_name: 'Flake System',
    system: true,
  }),
  sample('Every flag', '106089119536377863', {
    username: 'bannerbearer',
    global_name: 'Banner Bearer',
    accent_color: 0,
    public_flags: EVERY_PUBLIC_FLAG,
    flags: EVERY_PUBLIC_FLAG + 2 ** 44 + 2 ** 50,
    vad_colors: [0xf2a65a, 0x7ac0d4],
  }),
  sample('Deleted account', '287064864642297862', { username: 'deleted_user_4f1c9ab07d3e', avatar: null }),
  sample('Deleted account, as it was called before', '287064864642297879', {
    username: 'Deleted User 4f1c9ab0',
    discriminator: '8713',
    avatar: null,
  }),
  ...ODD_NAMES.map(([label, id, names]) => sample(label, id, names)),
];

export const SAMPLE_USERS: ReadonlyMap<string, UserObject> = new Map(
  SAMPLES.map(({ user }) => [user.id, user]),
);

const IN_FRONT: ReadonlySet<string> = new Set([ORDINARY, ANIMATED, BOT]);

export const SAMPLE_PROFILES: readonly SampleProfile[] = [
  ...SAMPLES.map(({ label, user: { id, username, global_name: name, avatar } }) =>
    IN_FRONT.has(id) ? { id, label, name: name || username, avatar: avatar ?? '' } : { id, label },
  ),
  { id: UNKNOWN_USER_ID, label: 'Unknown user' },
];
