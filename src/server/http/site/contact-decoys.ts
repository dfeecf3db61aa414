import type { Random } from '#server/system.ts';
import type { ContactPiece } from '#shared/site.ts';

const DECOYS = ['.nospam', 'info', '@mail', 'x7', '.invalid', 'not', 'post@', 'q', '.org', 'web'];

/** Short pieces, each followed by one that does not belong: a harvester that strips tags reads nonsense. */
export const mixWithDecoys = (address: string, random: Random): ContactPiece[] => {
  const pieces: ContactPiece[] = [];
  for (let start = 0; start < address.length;) {
    const length = 1 + random.integer(3);
    pieces.push({ text: address.slice(start, start + length), decoy: false });
    pieces.push({ text: DECOYS[random.integer(DECOYS.length)] as string, decoy: true });
    start += length;
  }
  return pieces;
};
