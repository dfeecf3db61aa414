import type { ComponentType } from 'react';
import type { PagePath } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { LookupRoute } from './routes/lookup.tsx';
import { NotFoundRoute } from './routes/not-found.tsx';

export type Page = {
  readonly title: (site: Site) => string;
  readonly description: (site: Site) => string;
  /** The lookup page is in the code that every page loads; the others fetch theirs. */
  readonly loadContent: () => Promise<ComponentType>;
};

const lookupPage: Page = {
  title: (site) => `${site.brandName}: ${site.platformName} profile lookup`,
  description: (site) => `Look up the public ${site.platformName} profile behind a user ID. Unofficial.`,
  loadContent: async () => LookupRoute,
};

const tokenDonationPage: Page = {
  title: (site) => `Token Donation · ${site.brandName}`,
  description: (site) =>
    site.tokenDonations
      ? `How to donate a ${site.platformName} bot token to ${site.brandName}, what it is used for and what the risks are.`
      : `${site.brandName} takes no bot tokens.`,
  loadContent: async () => (await import('./routes/token-donation.tsx')).TokenDonationRoute,
};

const donatePage: Page = {
  title: (site) => `Support us · ${site.brandName}`,
  description: (site) =>
    `Keep ${site.brandName} running. From ${site.vanityMinEur} EUR you may ask for a vanity link.`,
  loadContent: async () => (await import('./routes/donate.tsx')).DonateRoute,
};

const contactPage: Page = {
  title: (site) => `Contact us · ${site.brandName}`,
  description: (site) => `How to write to the people behind ${site.brandName}.`,
  loadContent: async () => (await import('./routes/contact.tsx')).ContactRoute,
};

const statusPage: Page = {
  title: (site) => `Status · ${site.brandName}`,
  description: (site) => `How many tokens ${site.brandName} has and how its lookups are going.`,
  loadContent: async () => (await import('./routes/status.tsx')).StatusRoute,
};

const privacyPage: Page = {
  title: (site) => `Privacy · ${site.brandName}`,
  description: (site) => `What ${site.brandName} keeps, for how long, and how to ask not to be shown.`,
  loadContent: async () => (await import('./routes/privacy.tsx')).PrivacyRoute,
};

export const pausedLinkPage: Page = {
  title: (site) => `Link paused · ${site.brandName}`,
  description: () => 'This link is paused.',
  loadContent: async () => (await import('./routes/paused-link.tsx')).PausedLinkRoute,
};

export const notFoundPage: Page = {
  title: (site) => `Page not found · ${site.brandName}`,
  description: () => 'Page not found',
  loadContent: async () => NotFoundRoute,
};

const pageOfPath: Readonly<Record<PagePath, Page>> = {
  '/': lookupPage,
  '/token-donation': tokenDonationPage,
  '/donate': donatePage,
  '/contact': contactPage,
  '/status': statusPage,
  '/privacy': privacyPage,
};

/** Every page with a path of its own. */
export const pages: ReadonlyMap<string, Page> = new Map(Object.entries(pageOfPath));

/** The page at a path, or the one that stands where a paused link would lead. */
export const pageAt = (path: string, { pausedLink }: Site): Page =>
  pausedLink === undefined ? (pages.get(path) ?? notFoundPage) : pausedLinkPage;
