import type { ComponentType } from 'react';
import type { Site } from '#shared/site.ts';
import { LookupRoute } from './routes/lookup.tsx';
import { NotFoundRoute } from './routes/not-found.tsx';

export type Page = {
  readonly title: (site: Site) => string;
  readonly description: (site: Site) => string;
  readonly Content: ComponentType;
};

const lookupPage: Page = {
  title: (site) => `${site.brandName}: ${site.platformName} profile lookup`,
  description: (site) => `Look up the public ${site.platformName} profile behind a user ID. Unofficial.`,
  Content: LookupRoute,
};

export const notFoundPage: Page = {
  title: (site) => `Page not found · ${site.brandName}`,
  description: () => 'Page not found',
  Content: NotFoundRoute,
};

/** Every page with a path of its own. */
export const pages: ReadonlyMap<string, Page> = new Map([['/', lookupPage]]);

export const pageAt = (path: string): Page => pages.get(path) ?? notFoundPage;
