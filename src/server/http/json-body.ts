import { isUtf8 } from 'node:buffer';
import { AppError } from '#server/app-error.ts';

const QUOTED_TEXT = /"(?:[^"\\]|\\.)*"/g;

/**
 * Every request body is a flat object, so each colon outside quotes belongs to a key of it. More colons than keys
 * means that a key came twice: which of the two counts is what parsers disagree about.
 */
export const parseJsonBody = (bytes: Buffer): object => {
  const text = bytes.toString();
  const body = isUtf8(bytes) ? parseObject(text) : null;
  if (body === null) throw new AppError('bad-request');
  const colons = text.replaceAll(QUOTED_TEXT, '').split(':').length - 1;
  if (colons !== Object.keys(body).length) throw new AppError('bad-request');
  return body;
};

const parseObject = (text: string): object | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};
