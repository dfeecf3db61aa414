import type { ComponentType } from 'react';
import type { PageName, PagePath } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { LookupRoute } from './routes/lookup.tsx';

/** The lookup page is in the code that every page loads; the others fetch theirs. */
export const pages: Readonly<Record<PageName, () => Promise<ComponentType>>> = {
  '/': async () => LookupRoute,
  '/token-donation': async () => (await import('./routes/token-donation.tsx')).TokenDonationRoute,
  '/donate': async () => (await import('./routes/donate.tsx')).DonateRoute,
  '/contact': async () => (await import('./routes/contact.tsx')).ContactRoute,
  '/status': async () => (await import('./routes/status.tsx')).StatusRoute,
  '/privacy': async () => (await import('./routes/prose-pages.tsx')).PrivacyRoute,
  '/help': async () => (await import('./routes/prose-pages.tsx')).HelpRoute,
  offline: async () => (await import('./routes/offline.tsx')).OfflineRoute,
  'paused-link': async () => (await import('./routes/paused-link.tsx')).PausedLinkRoute,
  'not-found': async () => (await import('./routes/not-found.tsx')).NotFoundRoute,
};

/** The page at a path, which begins with a slash, or the one that stands in its place. */
export const pageAt = (path: string, { offline, pausedLink }: Site): PageName => {
  if (offline) return 'offline';
  if (pausedLink !== undefined) return 'paused-link';
  return Object.hasOwn(pages, path) ? (path as PagePath) : 'not-found';
};
