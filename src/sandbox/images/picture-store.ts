import { encodeGif } from './gif.ts';
import { paint, type PictureRequest } from './pictures.ts';
import { encodePng } from './png.ts';
import type { Film } from './raster.ts';
import { encodeWebp } from './webp.ts';

export type PictureFormat = 'png' | 'webp' | 'gif';

export type PictureStore = {
  readonly get: (request: PictureRequest, format: PictureFormat) => Buffer;
};

const ENCODERS: Readonly<Record<PictureFormat, (film: Film) => Buffer>> = {
  png: ({ frames: [first] }) => encodePng(first),
  webp: encodeWebp,
  gif: encodeGif,
};

/** Keeps what it encoded until there is too much of it; the oldest goes first. */
export const createPictureStore = (maxBytes: number): PictureStore => {
  const kept = new Map<string, Buffer>();
  let keptBytes = 0;

  const dropOldest = (): void => {
    for (const [key, { length }] of kept) {
      if (keptBytes <= maxBytes) return;
      kept.delete(key);
      keptBytes -= length;
    }
  };

  return {
    get: (request, format) => {
      const key = `${request.kind}/${request.hash}/${request.size}/${request.animated}.${format}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const encoded = ENCODERS[format](paint(request));
      kept.set(key, encoded);
      keptBytes += encoded.length;
      dropOldest();
      return encoded;
    },
  };
};
