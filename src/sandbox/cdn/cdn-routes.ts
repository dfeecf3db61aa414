import { readFileSync } from 'node:fs';
import type { Answer } from '../answer.ts';
import { getOrInsert } from '../get-or-insert.ts';
import { PICTURES } from '../pictures.ts';
import { DECORATION_ASSETS, NAMEPLATE_ASSETS, tagBadgeHash } from '../profiles/asset-hashes.ts';
import type { FindUser } from '../profiles/generated-profiles.ts';

type Collection = {
  readonly folder: string;
  readonly formats: readonly string[];
  /** Of these a hash chooses one; without any, the hash is the name. */
  readonly pictures?: readonly string[];
  readonly animated?: readonly string[];
  readonly has: (owner: string, hash: string) => boolean;
};

/** Of those that Discord has, what the product asks for. */
const UPLOADED = ['png', 'webp', 'gif'];

const refusal = (status: number, text: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: text,
});

/** Discord takes some sizes between powers of two as well, which we never ask for. */
const isSize = (text: string): boolean => {
  const size = Number(text);
  return size >= 16 && size <= 4096 && Number.isInteger(Math.log2(size));
};

const collectionsOf = (findUser: FindUser): ReadonlyMap<string, Collection> => {
  const ownedBy = (key: 'avatar' | 'banner') => (owner: string, hash: string) =>
    /^\d{1,19}$/.test(owner) && findUser(owner)?.[key] === hash;
  const collections = Object.entries<Collection>({
    avatars: {
      folder: 'avatars',
      formats: UPLOADED,
      pictures: ['crystal', 'summit', 'owl', 'juniper', 'fox', 'finch'],
      animated: ['owl', 'crystal'],
      has: ownedBy('avatar'),
    },
    banners: {
      folder: 'banners',
      formats: UPLOADED,
      pictures: ['aurora', 'forest', 'dusk'],
      animated: ['aurora'],
      has: ownedBy('banner'),
    },
    'guild-tag-badges': {
      folder: 'badges',
      formats: ['png'],
      pictures: ['snowflake', 'lantern'],
      has: (guildId, hash) => tagBadgeHash(guildId) === hash,
    },
    embed: {
      folder: 'default-avatars',
      formats: ['png'],
      has: (folder, index) => folder === 'avatars' && /^[0-5]$/.test(index),
    },
    'avatar-decoration-presets': {
      folder: 'decorations',
      formats: ['png'],
      pictures: ['frost'],
      animated: ['frost-animated'],
      has: (_, asset) => DECORATION_ASSETS.includes(asset),
    },
    assets: {
      folder: 'nameplates',
      formats: ['png'],
      has: (folder, file) =>
        NAMEPLATE_ASSETS.some((asset) => folder === `collectibles/${asset.slice(0, -1)}`) &&
        /^(?:static|img)$/.test(file),
    },
  });
  return new Map(collections);
};

/** `/avatars/{id}/{hash}.png` in its parts; decorations have no owner, and nameplates a folder for one. */
const partsOf = (path: string) => {
  const [collection = '', ...rest] = path.slice(1).split('/');
  const [hash = '', format = ''] = (rest.pop() ?? '').split('.');
  return { collection, owner: rest.join('/'), hash, format };
};

type PathParts = ReturnType<typeof partsOf>;

const stemOf = ({ folder, pictures = [], animated = [] }: Collection, hash: string): string => {
  const names = hash.startsWith('a_') ? animated : pictures;
  return `${folder}/${names[Number.parseInt(hash.slice(-8), 16) % names.length] ?? hash}`;
};

const fileOf = (collection: Collection, { hash, format }: PathParts, query: URLSearchParams): string => {
  const isStill = collection.folder === 'decorations' && query.get('passthrough') === 'false';
  const stem = stemOf(collection, isStill ? hash.replace('a_', '') : hash);
  const moves = format === 'webp' && hash.startsWith('a_') && query.get('animated') === 'true';
  return `${stem}${moves ? '-animated' : ''}.${format}`;
};

export const createCdn = (findUser: FindUser): ((path: string, query: string) => Answer) => {
  const collections = collectionsOf(findUser);
  const files = new Map<string, Buffer>();

  return (path, queryText) => {
    const parts = partsOf(path);
    const { collection: name, owner, hash, format } = parts;
    const collection = collections.get(name);
    if (collection === undefined || !collection.has(owner, hash)) return refusal(404, 'Not Found');

    const canMove = hash.startsWith('a_');
    if (!collection.formats.includes(format) || (format === 'gif' && !canMove))
      return refusal(415, 'Unsupported Media Type');

    // A size is checked, but each picture has only its own, as an upload that is not to be enlarged.
    const query = new URLSearchParams(queryText);
    if (!isSize(query.get('size') ?? '128')) return refusal(400, 'Invalid size');

    const file = fileOf(collection, parts, query);
    return {
      status: 200,
      headers: {
        'content-type': `image/${format}`,
        'cache-control': 'public, max-age=31536000',
        'x-content-type-options': 'nosniff',
      },
      body: getOrInsert(files, file, () => readFileSync(new URL(file, PICTURES))),
    };
  };
};
