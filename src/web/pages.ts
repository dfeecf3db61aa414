import type { ComponentType } from 'react';
import { isPagePath, type PageName } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import type { Environment } from './environment.ts';
import { LookupRoute } from './routes/lookup.tsx';
import { preloadLookup } from './routes/use-lookup.ts';

type LoadPage = () => Promise<ComponentType>;

/** Pages with parts that React runs in the browser. That of the lookup is in the code that all of these load. */
export const appPages = {
  '/': async () => LookupRoute,
  '/token-donation': async () => (await import('./routes/token-donation.tsx')).TokenDonationRoute,
  '/status': async () => (await import('./routes/status.tsx')).StatusRoute,
  offline: async () => (await import('./routes/offline.tsx')).OfflineRoute,
  'not-found': async () => (await import('./routes/not-found.tsx')).NotFoundRoute,
} satisfies Partial<Record<PageName, LoadPage>>;

export type AppPage = keyof typeof appPages;

/** Pages of text: rendered on the server, and nothing of them is loaded. */
export const textPages: Readonly<Record<Exclude<PageName, AppPage>, LoadPage>> = {
  '/donate': async () => (await import('./routes/donate.tsx')).DonateRoute,
  '/contact': async () => (await import('./routes/prose-pages.tsx')).ContactRoute,
  '/privacy': async () => (await import('./routes/prose-pages.tsx')).PrivacyRoute,
  '/help': async () => (await import('./routes/prose-pages.tsx')).HelpRoute,
  'paused-link': async () => (await import('./routes/paused-link.tsx')).PausedLinkRoute,
};

/** Fetches what a page will need as soon as React runs. */
export const preloadFor = (environment: Environment): void => {
  if (environment.site.linked) preloadLookup(environment);
};

export const isAppPage = (page: PageName): page is AppPage => Object.hasOwn(appPages, page);

/** The page at a path, which begins with a slash, or the one that stands in its place. */
export const pageAt = (path: string, { offline, pausedLink }: Site): PageName => {
  if (offline) return 'offline';
  if (pausedLink !== undefined) return 'paused-link';
  return isPagePath(path) ? path : 'not-found';
};
