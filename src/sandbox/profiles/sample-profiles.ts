import { animated, avatarHash, bannerHash, DECORATION_ASSETS, NAMEPLATE_ASSETS } from './asset-hashes.ts';
import { primaryGuild, userObject, withoutNulls, type UserObject, type UserTraits } from './user-object.ts';

export type SampleProfile = {
  readonly id: string;
  readonly label: string;
  /** Of the few that are shown with a picture. */
  readonly name?: string;
  readonly avatar?: string;
};

type Sample = { readonly label: string; readonly user: UserObject };

const SNOWDROP_GUILD = '332779590571257874';
const LANTERN_GUILD = '673347428472057875';
/** No user has this id, though it is a well-formed one. */
export const UNKNOWN_USER_ID = '794354273277177873';

const DOCUMENTED_AND_OBSERVED_BITS = [0, 1, 2, 3, 6, 7, 8, 9, 10, 14, 16, 17, 18, 19, 20, 22, 23];
const EVERY_PUBLIC_FLAG = DOCUMENTED_AND_OBSERVED_BITS.reduce((flags, bit) => flags | (1 << bit), 0);

/** Has an avatar of its own unless the traits say otherwise. */
const sample = (label: string, id: string, traits: Omit<UserTraits, 'id'>): Sample => ({
  label,
  user: userObject({ id, avatar: avatarHash(id), ...traits }),
});

const ORDINARY = '441997505123577857';
const ANIMATED = '776367000573177858';
const BOT = '615850567062777861';
const TWO_GUILDS = '1019612053951737865';

const ZALGO =
  'z\u0335\u0321\u0348\u0301a\u0337\u0328\u0310\u0354l\u0334\u0327\u0306\u0347g\u0336\u031b\u030a\u0349o\u0338\u0322\u0352\u0330';

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
    user: withoutNulls(
      userObject({ id: '1076972768253177859', username: 'quietharbor', global_name: 'Quiet Harbor' }),
    ),
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
  sample('Markup in the name', '562079002580217867', {
    username: 'script.kiddo',
    global_name: '<img src=x onerror=alert(1)><b>&lt;"\'`',
  }),
  sample('Right-to-left override', '562079254238457868', {
    username: 'gpj.exe',
    global_name: 'photo\u202egnp.exe\u2066 منقول',
  }),
  sample('Zero-width characters', '562079505896697869', {
    username: 'hollow',
    global_name: '\u200b\u2060ad\u200dmin\ufeff\u00ad\u200f',
  }),
  sample('Stacked accents', '562079757554937870', { username: 'zalgo', global_name: ZALGO.repeat(8) }),
  sample('Very long name', '562080009213177871', {
    username: 'w'.repeat(512),
    global_name: '𝕎'.repeat(5_000),
  }),
  sample('Empty display name', '562080260871417872', { username: 'nameless', global_name: '' }),
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
