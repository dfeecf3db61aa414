import { createElement, type ComponentType } from 'react';
import { isPagePath, type PageName } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { LookupRoute } from './routes/lookup.tsx';

type LoadPage = (linked?: boolean) => Promise<ComponentType>;

/** A link to a profile comes with the place of its answer, which belongs to the code of a lookup. */
const loadLookup: LoadPage = async (linked = false) => {
  const part = linked ? await import('./routes/lookup-flow.tsx').catch(() => undefined) : undefined;
  return part ? () => createElement(LookupRoute, { flow: part.lookupFlow }) : LookupRoute;
};

export const appPages = {
  '/': loadLookup,
  '/token-donation': async () => (await import('./routes/token-donation.tsx')).TokenDonationRoute,
  '/status': async () => (await import('./routes/status.tsx')).StatusRoute,
} satisfies Partial<Record<PageName, LoadPage>>;

type AppPage = keyof typeof appPages;

/** Rendered on the server: nothing of them is loaded. */
export const textPages: Readonly<Record<Exclude<PageName, AppPage>, LoadPage>> = {
  '/donate': async () => (await import('./routes/donate.tsx')).DonateRoute,
  '/contact': async () => (await import('./routes/prose-pages.tsx')).ContactRoute,
  '/privacy': async () => (await import('./routes/prose-pages.tsx')).PrivacyRoute,
  '/help': async () => (await import('./routes/prose-pages.tsx')).HelpRoute,
  '/api': async () => (await import('./routes/api.tsx')).ApiRoute,
  'not-found': async () => (await import('./routes/prose-pages.tsx')).NotFoundRoute,
  'paused-link': async () => (await import('./routes/prose-pages.tsx')).PausedLinkRoute,
};

export const isAppPage = (page: PageName): page is AppPage => Object.hasOwn(appPages, page);

export const pageAt = (path: string, { pausedLink }: Site): PageName => {
  if (pausedLink !== undefined) return 'paused-link';
  return isPagePath(path) ? path : 'not-found';
};
