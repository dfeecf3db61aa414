import type { Language } from './languages.ts';
import type { Site } from './site.ts';

export type PageAssets = {
  /** Script and styles in the page itself, so that its first paint waits for no other file. */
  readonly early: string;
  readonly styles: string;
  readonly font: string;
  /** The file of the entry, then those that it imports. */
  readonly frame: readonly string[];
  readonly client: readonly string[];
  readonly lookup: readonly string[];
};

export type WantedPage = {
  /** Without the language. */
  readonly path: string;
  readonly language: Language;
  readonly site: Site;
  readonly assets: PageAssets;
};

/** The exports of the web part's bundle for the server, which imports it for the first page, never the sources. */
export type PageRenderer = {
  readonly renderPage: (page: WantedPage) => string;
  /** What browsers say about the site when it is installed, and in their list of search engines. */
  readonly describeSite: (
    language: Language,
    site: Site,
  ) => { readonly purpose: string; readonly search: string };
};

export type SettingOfTexts =
  | 'brandName'
  | 'platformName'
  | 'publicUrl'
  | 'developerPortalUrl'
  | 'vanityMinEur';
