import type { Status } from '#shared/contract/status.ts';
import type { PageAssets } from '#shared/page.ts';
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
  sampleIds: [],
  version: '1.2.3',
  limits: { challengesPerMinute: 60, lookupsPerMinute: 20, lookupsPerDay: 300 },
};

export const ASSETS: PageAssets = {
  early: 'early()',
  styles: 'a{}',
  font: '/assets/font.woff2',
  frame: ['/assets/frame.js', '/assets/shared.js'],
  client: ['/assets/client.js', '/assets/react.js', '/assets/shared.js'],
  lookup: ['/assets/lookup-flow.js'],
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

/** With what the page of the status gets. */
export const SITE_WITH_STATUS: Site = {
  ...SITE,
  status: STATUS,
};
