import { createContext, use, useEffectEvent, useLayoutEffect } from 'react';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { localPath } from '#shared/languages.ts';
import type { Site } from '#shared/site.ts';
import type { Browser } from './browser.ts';
import type { TextStore } from './texts/text-store.ts';
import type { Section, Texts } from './texts/translation.ts';

export type ErrorTexts = Readonly<Partial<Record<ErrorCode, string>>>;

export type Environment = {
  readonly site: Site;
  readonly browser: Browser;
  readonly texts: TextStore;
  /** What the page of a link was opened for. The server renders it for all. */
  readonly linkedId?: string;
};

export const EnvironmentContext = createContext<Environment | undefined>(undefined);

export const useEnvironment = (): Environment => {
  const environment = use(EnvironmentContext);
  if (environment === undefined) throw new Error('There is no EnvironmentContext.');
  return environment;
};

export const useTexts = <Name extends Section>(section: Name): Texts[Name] =>
  useEnvironment().texts.section(section);

export const useErrorTexts = (): ErrorTexts => {
  const errors = useTexts('errors');
  const { tokenDonations } = useEnvironment().site;
  return tokenDonations ? errors : { ...errors, 'pool-empty': errors.poolEmptyForGood };
};

export const useLocalPath = (): ((path: string) => string) => {
  const { language } = useEnvironment().texts;
  return (path) => localPath(path, language);
};

/** Not only after the next paint: what the page shows already may be answered at once. */
export const useWindowEvent = <Name extends keyof WindowEventMap>(
  name: Name,
  onEvent: (event: WindowEventMap[Name]) => void,
  listening = true,
): void => {
  const listener = useEffectEvent(onEvent);
  useLayoutEffect(() => {
    if (!listening) return undefined;
    addEventListener(name, listener);
    return () => removeEventListener(name, listener);
  }, [name, listening]);
};
