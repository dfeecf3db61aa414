import { isPlausibleId, type Snowflake } from './snowflake.ts';

const HASH = /^(?:a_)?[0-9a-f]{32}$/;
const NAMEPLATE_ASSET = /^(?:[\p{L}\p{N}_-]{1,64}\/){1,6}$/u;

export type CdnUrls = ReturnType<typeof createCdnUrls>;

/** Builds image addresses from parts that cannot leave the CDN; a part that does not fit gives null. */
export const createCdnUrls = (cdnUrl: string) => {
  const image = (folder: string, hash: unknown, size: number): string | null => {
    if (!isHash(hash)) return null;
    // The platform converts animated uploads to WebP more faithfully than to GIF.
    const format = hash.startsWith('a_') ? `webp?size=${size}&animated=true` : `png?size=${size}`;
    return `${cdnUrl}/${folder}/${hash}.${format}`;
  };

  return {
    avatar: (id: Snowflake, hash: unknown) => image(`avatars/${id}`, hash, 512),
    banner: (id: Snowflake, hash: unknown) => image(`banners/${id}`, hash, 1024),
    defaultAvatar: (id: Snowflake, discriminator: string): string =>
      `${cdnUrl}/embed/avatars/${defaultAvatarIndex(id, discriminator)}.png`,
    guildTagBadge: (guildId: unknown, hash: unknown) =>
      isPlausibleId(guildId) && isHash(hash)
        ? `${cdnUrl}/guild-tag-badges/${guildId}/${hash}.png?size=64`
        : null,
    decoration: (hash: unknown) => {
      if (!isHash(hash)) return null;
      const motion = hash.startsWith('a_') ? '&passthrough=true' : '';
      return `${cdnUrl}/avatar-decoration-presets/${hash}.png?size=256${motion}`;
    },
    nameplate: (asset: unknown) => {
      if (typeof asset !== 'string' || !NAMEPLATE_ASSET.test(asset)) return null;
      const folder = `${cdnUrl}/assets/collectibles/${asset.split('/').map(encodeURIComponent).join('/')}`;
      return { static_url: `${folder}static.png`, animated_url: `${folder}img.png` };
    },
  };
};

const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value);

/** Accounts without a discriminator follow their id; older ones, and all bots, their discriminator. */
const defaultAvatarIndex = (id: Snowflake, discriminator: string): number => {
  const legacy = Number(discriminator);
  return Number.isInteger(legacy) && legacy > 0 ? legacy % 5 : Number((BigInt(id) >> 22n) % 6n);
};
