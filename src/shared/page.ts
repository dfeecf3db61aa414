import type { Language } from './languages.ts';
import type { Linked, Site } from './site.ts';
import type { Snowflake } from './snowflake.ts';

/** The files of the build, as pages name them. */
export type PageAssets = {
  /** The script and the styles that stand in the page itself, so that its first paint waits for no other file. */
  readonly early: string;
  readonly styles: string;
  readonly font: string;
  /** The code of the frame and that of the content: the file of the entry, then those that it imports. */
  readonly frame: readonly string[];
  readonly client: readonly string[];
  /** What begins the proof for a link. */
  readonly proof: readonly string[];
  /** What a lookup loads in addition. */
  readonly lookup: readonly string[];
};

/** Where a page finds the texts that do not come with it. */
export type TextUrls = {
  /** What it says later. */
  readonly rest: string;
  /** Its offer to switch, in every other language. */
  readonly offers: string;
};

/** A page in one of its languages. */
export type WantedPage = {
  /** Without the language. */
  readonly path: string;
  readonly language: Language;
  readonly site: Site;
  readonly textUrls: TextUrls;
  readonly assets: PageAssets;
};

/** The exports of the web part's bundle for the server, which imports it for the first page, never the sources. */
export type PageRenderer = {
  readonly renderPage: (page: WantedPage) => string;
  /** The texts that pages fetch after their first paint, as JSON. */
  readonly renderRest: (language: Language, site: Site) => string;
  /** The English page's offer to switch, in every other language, as JSON. */
  readonly renderOffers: (site: Site) => string;
  /** Everything that pages say in any language, to tell whether it has changed. */
  readonly allTexts: () => string;
  /** What an id tells by itself, in words. */
  readonly describeLink: (
    link: { readonly id: Snowflake; readonly nowMs: number },
    language: Language,
    site: Pick<Site, SettingOfTexts>,
  ) => Linked;
  /** What browsers say about the site when it is installed, and in their list of search engines. */
  readonly describeSite: (
    language: Language,
    site: Site,
  ) => { readonly purpose: string; readonly search: string };
};

/** What texts take from the settings. */
export type SettingOfTexts =
  | 'brandName'
  | 'platformName'
  | 'publicUrl'
  | 'developerPortalUrl'
  | 'vanityMinEur';
