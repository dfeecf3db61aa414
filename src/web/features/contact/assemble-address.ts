import type { ContactPiece } from '#shared/site.ts';

/** The address in plain text. Only for the moment in which the visitor uses it: it must not stay in the page. */
export const assembleAddress = (pieces: readonly ContactPiece[]): string =>
  pieces.map(({ text, decoy }) => (decoy ? '' : text)).join('');
