import type { Status } from '#shared/contract/status.ts';
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
  captchaDialog: 'auto',
  offlinePage: true,
  sampleIds: [],
};

export const STATUS: Status = {
  tokens: { healthy: 3, cooling: 0, retired: 0 },
  lookups_last_hour: { served: 0, refused: 0 },
  last_24_hours: [],
  last_retirement: null,
  donations_needed: true,
  paused: null,
  updated_at: '2026-11-17T03:00:00.000Z',
};

/** As the status page gets them. */
export const SITE_WITH_STATUS: Site = { ...SITE, status: STATUS };
