import { hash } from 'node:crypto';

/** Derived from the owner, so that the CDN can check a hash without a store. */
const assetHash = (kind: string, owner: string): string => hash('md5', `${kind}:${owner}`);

export const avatarHash = (userId: string): string => assetHash('avatar', userId);
export const bannerHash = (userId: string): string => assetHash('banner', userId);
export const tagBadgeHash = (guildId: string): string => assetHash('tag-badge', guildId);

/** The prefix tells clients that an animated form exists. */
export const animated = (hashText: string): string => `a_${hashText}`;

export const NAMEPLATE_ASSETS = ['nameplates/nameplates/twilight/', 'nameplates/nameplates/drift/'] as const;

export const DECORATION_ASSETS: readonly string[] = [
  ...['frost', 'ember', 'moss', 'dusk'].map((name) => assetHash('decoration', name)),
  ...['gale', 'flurry'].map((name) => animated(assetHash('decoration', name))),
];
