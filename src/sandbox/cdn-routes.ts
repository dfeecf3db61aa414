import type { Answer } from './answer.ts';
import { DECORATION_ASSETS, tagBadgeHash } from './assets.ts';
import { createPictureStore, type PictureFormat } from './images/picture-store.ts';
import type { PictureKind } from './images/pictures.ts';
import type { UserDirectory } from './user-directory.ts';

type Collection = {
  readonly kind: PictureKind;
  readonly formats: readonly PictureFormat[];
  readonly defaultSize: number;
  /** Whether this picture exists, and belongs to that owner. */
  readonly has: (owner: string, hash: string) => boolean;
};

const CACHE_BYTES = 32 * 1024 * 1024;
/** Larger ones are answered at this size: the platform does not enlarge what was uploaded smaller either. */
const MAX_STILL_SIZE = 1024;
const MAX_ANIMATED_SIZE = 256;
const DEFAULT_AVATARS = new Set(['0', '1', '2', '3', '4', '5']);
const SIZES_BETWEEN_POWERS = new Set([
  20, 22, 24, 28, 40, 44, 48, 56, 60, 80, 96, 100, 160, 240, 300, 320, 480, 600, 640, 1280, 1536, 3072,
]);

const CONTENT_TYPES: Readonly<Record<PictureFormat, string>> = {
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};

const refusal = (status: number, text: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: text,
});

const isPowerOfTwo = (size: number): boolean => Number.isInteger(Math.log2(size));

/** Undefined for a size that the CDN does not know. */
const requestedSize = (query: URLSearchParams, fallback: number): number | undefined => {
  const text = query.get('size');
  if (text === null) return fallback;
  const size = Number(text);
  return SIZES_BETWEEN_POWERS.has(size) || (size >= 16 && size <= 4096 && isPowerOfTwo(size))
    ? size
    : undefined;
};

const collectionsOf = (users: UserDirectory): ReadonlyMap<string, Collection> => {
  const ownedBy = (key: 'avatar' | 'banner') => (owner: string, hash: string) =>
    /^\d{1,19}$/.test(owner) && users.find(owner)?.[key] === hash;
  const badge = {
    kind: 'tag-badge',
    defaultSize: 32,
    has: (guildId: string, hash: string) => tagBadgeHash(guildId) === hash,
  } as const;
  return new Map<string, Collection>([
    [
      'avatars',
      { kind: 'avatar', formats: ['png', 'webp', 'gif'], defaultSize: 256, has: ownedBy('avatar') },
    ],
    [
      'banners',
      { kind: 'banner', formats: ['png', 'webp', 'gif'], defaultSize: 512, has: ownedBy('banner') },
    ],
    ['guild-tag-badges', { ...badge, formats: ['png', 'webp'] }],
    ['clan-badges', { ...badge, formats: ['png'] }],
    [
      'embed',
      {
        kind: 'default-avatar',
        formats: ['png'],
        defaultSize: 256,
        has: (folder, index) => folder === 'avatars' && DEFAULT_AVATARS.has(index),
      },
    ],
    [
      'avatar-decoration-presets',
      {
        kind: 'decoration',
        formats: ['png'],
        defaultSize: 256,
        has: (_, asset) => DECORATION_ASSETS.includes(asset),
      },
    ],
  ]);
};

/** `/avatars/{id}/{hash}.png` in its parts; decorations have no owner. */
const partsOf = (path: string) => {
  const [collection = '', ...rest] = path.slice(1).split('/');
  const [hash = '', format = ''] = (rest.pop() ?? '').split('.');
  return { collection, owner: rest.join('/'), hash, format: format as PictureFormat };
};

/** The images behind every hash that the API gives out. */
export const createCdn = (users: UserDirectory): ((path: string, query: string) => Answer) => {
  const collections = collectionsOf(users);
  const pictures = createPictureStore(CACHE_BYTES);

  return (path, queryText) => {
    const { collection: name, owner, hash, format } = partsOf(path);
    const collection = collections.get(name);
    if (collection === undefined || !collection.has(owner, hash)) return refusal(404, 'Not Found');

    const canMove = hash.startsWith('a_');
    if (!collection.formats.includes(format) || (format === 'gif' && !canMove))
      return refusal(415, 'Unsupported Media Type');

    const query = new URLSearchParams(queryText);
    const size = requestedSize(query, collection.defaultSize);
    if (size === undefined) return refusal(400, 'Invalid size');
    const animated = format === 'gif' || (format === 'webp' && canMove && query.get('animated') === 'true');
    const { kind } = collection;
    const renderedSize =
      kind === 'default-avatar'
        ? collection.defaultSize
        : Math.min(size, animated ? MAX_ANIMATED_SIZE : MAX_STILL_SIZE);
    return {
      status: 200,
      headers: {
        'content-type': CONTENT_TYPES[format],
        'cache-control': 'public, max-age=31536000',
        'x-content-type-options': 'nosniff',
      },
      body: pictures.get({ kind, hash, size: renderedSize, animated }, format),
    };
  };
};
