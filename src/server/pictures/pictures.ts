import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import type { Admission } from '#server/admission/admission.ts';
import type { AdmissionStore, Counter } from '#server/state/admission-store.ts';
import type { Profile, ProfilePictures } from '#shared/contract/profile.ts';
import { createPictureAddresses, type PictureAddressDeps, type PictureAddresses } from './picture-address.ts';
import { createPictureClient } from './picture-client.ts';
import { AT_ONCE, createTransfers } from './transfers.ts';

export type ServedPicture = {
  readonly type: string;
  readonly length: number | undefined;
  readonly body: Buffer | Readable;
};

/** Passes on the pictures of profiles that were looked up, and no others. */
export type Pictures = {
  /** Our addresses of a profile's pictures. */
  readonly addressesOf: (profile: Profile) => ProfilePictures;
  /** The picture at an address of ours, for a visitor. Rejects with the `AppError` that the visitor is told. */
  readonly get: (address: string, visitor: string) => Promise<ServedPicture>;
  readonly close: () => Promise<void>;
};

export type PicturesDeps = PictureAddressDeps & {
  readonly publicUrl: string;
  readonly admission: Pick<Admission, 'count'>;
  readonly admissions: Pick<AdmissionStore, 'count'>;
};

/** As long as answers: nothing about who was looked up is kept for longer. */
const KEPT_MS = 600_000;
const KEPT_BYTES = 32 * 2 ** 20;

/** Of all visitors together, over all servers, not counting what is kept here. */
const FROM_CDN: Counter = {
  key: Buffer.alloc(16),
  allowances: [{ count: 3_000, periodMs: 60_000, burst: 600 }],
};

type KeptPicture = { readonly type: string; readonly body: Buffer };

export const createPictures = (deps: PicturesDeps): Pictures => {
  const { clock, admission, admissions } = deps;
  const addresses = createPictureAddresses(deps);
  const client = createPictureClient({ ...deps, connections: AT_ONCE });
  const transfers = createTransfers();
  const kept = new LRUCache<string, KeptPicture>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });

  const keep = (path: string, picture: KeptPicture): void => {
    if (kept.size === 0) clock.after(KEPT_MS, () => kept.clear());
    kept.set(path, picture);
  };

  const fetch = async (path: string, visitor: string): Promise<ServedPicture> => {
    const decision = await admissions.count([FROM_CDN]);
    if (!decision.allowed) throw new AppError('pictures-busy', { retryAfterMs: decision.retryAfterMs });
    const end = transfers.begin(visitor);
    try {
      const picture = await client.get(path, (body) => keep(path, { type: picture.type, body }));
      picture.body.once('close', end);
      return picture;
    } catch (error) {
      end();
      throw error;
    }
  };

  return {
    addressesOf: (profile) => signAll(profile, addresses),
    get: async (address, visitor) => {
      const path = addresses.read(address);
      await admission.count('picture', visitor);
      const known = kept.get(path);
      if (known !== undefined) return { ...known, length: known.body.length };
      return fetch(path, visitor);
    },
    close: client.close,
  };
};

const signAll = (profile: Profile, { sign, expiresMs }: PictureAddresses): ProfilePictures => {
  const { avatar_url, banner_url, badge_url, avatar_decoration_url, nameplate } = profile;
  return {
    expires_at: new Date(expiresMs()).toISOString(),
    avatar_url: sign(avatar_url),
    banner_url: banner_url && sign(banner_url),
    badge_url: badge_url && sign(badge_url),
    avatar_decoration_url: avatar_decoration_url && sign(avatar_decoration_url),
    nameplate: nameplate && {
      static_url: sign(nameplate.static_url),
      animated_url: sign(nameplate.animated_url),
    },
  };
};
