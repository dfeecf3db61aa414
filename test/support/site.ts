import type { Site } from '#shared/site.ts';

/** The settings of a site, as its pages get them. */
export const SITE: Site = {
  brandName: 'Whoflake',
  platformName: 'Discord',
  publicUrl: 'https://flake.example',
  sandbox: false,
  contact: [{ text: 'hello', decoy: false }],
  developerPortalUrl: 'https://bots.example/',
  paymentUrl: 'https://pay.example/',
  vanityMinEur: 18,
  tokenDonations: true,
  relayPictures: false,
  offlinePage: true,
  sampleIds: [],
};
