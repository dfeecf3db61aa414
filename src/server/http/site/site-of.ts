import type { Config } from '#server/config.ts';
import type { Random } from '#server/system.ts';
import type { ContactPiece, Site } from '#shared/site.ts';

export type SiteExtras = { readonly sampleIds: Site['sampleIds']; readonly random: Random };

/** What of the configuration is for everybody's eyes. */
export const siteOf = (config: Config, { sampleIds, random }: SiteExtras): Site => ({
  brandName: config.brandName,
  platformName: config.platformName,
  publicUrl: config.publicUrl,
  contact: cutUp(config.contactEmail, random),
  paymentUrl: config.paymentUrl,
  vanityMinEur: config.vanityMinEur,
  tokenDonations: config.tokenDonations,
  sandbox: config.platform.kind === 'sandbox',
  sampleIds: sampleIds.map(({ id, label }) => ({ id, label })),
});

const DECOYS = ['.nospam', 'info', '@mail', 'x7', '.invalid', 'not', 'post@', 'q', '.org', 'web'];

/** Short pieces, each followed by one that does not belong: a harvester that strips tags reads nonsense. */
const cutUp = (address: string, random: Random): ContactPiece[] => {
  const pieces: ContactPiece[] = [];
  for (let start = 0; start < address.length;) {
    const length = 1 + random.integer(3);
    pieces.push({ text: address.slice(start, start + length), decoy: false });
    pieces.push({ text: DECOYS[random.integer(DECOYS.length)] as string, decoy: true });
    start += length;
  }
  return pieces;
};
