import { ERRORS, type ErrorCode, type Reaction } from '#shared/contract/errors.ts';

/** A server newer than this page may send a code that the page does not know. */
export const reactionTo = (code: unknown): Reaction =>
  typeof code === 'string' && Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].reaction : 'explain';
