import { isUtf8 } from 'node:buffer';
import { AppError } from '#server/app-error.ts';

const QUOTED_TEXT = /"(?:[^"\\]|\\.)*"/g;

/** A key that comes twice is refused: which of the two counts is what parsers disagree about. */
export const parseJsonBody = (bytes: Buffer): object => {
  const text = bytes.toString();
  const body = isUtf8(bytes) ? parseObject(text) : null;
  if (body === null) throw new AppError('bad-request');
  // What comes out as it went in has no key twice; most clients write JSON just like that.
  const asWritten = isFlat(body) && JSON.stringify(body) === text;
  if (!asWritten && countKeys(text) !== Object.keys(body).length) throw new AppError('bad-request');
  return body;
};

const isFlat = (body: object): boolean => Object.values(body).every((value) => typeof value !== 'object');

/** Every request body is a flat object, so each colon outside quotes belongs to a key of it. */
const countKeys = (text: string): number => text.replaceAll(QUOTED_TEXT, '').split(':').length - 1;

const parseObject = (text: string): object | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};
