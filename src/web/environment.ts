import { createContext, use } from 'react';
import type { Site } from '#shared/site.ts';
import type { Browser } from './browser.ts';

/** What a page is given from outside. */
export type Environment = { readonly site: Site; readonly browser: Browser };

export const EnvironmentContext = createContext<Environment | undefined>(undefined);

export const useEnvironment = (): Environment => {
  const environment = use(EnvironmentContext);
  if (environment === undefined) throw new Error('useEnvironment needs an EnvironmentContext above it.');
  return environment;
};
