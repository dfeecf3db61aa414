import type { Language } from './languages.ts';
import type { Site } from './site.ts';
import type { Snowflake } from './snowflake.ts';

/** The parts that the server puts into the built HTML template for one path. */
export type RenderedPage = {
  /** The attributes of the root element. */
  readonly attributes: string;
  readonly head: string;
  readonly body: string;
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
};

/** The exports of the web part's bundle for the server, which imports it at start-up, never the sources. */
export type PageRenderer = {
  /** Every path with a page of its own; any other path is rendered as not found. */
  readonly paths: readonly string[];
  readonly renderPage: (page: WantedPage) => RenderedPage;
  /** The texts that pages fetch after their first paint, as JSON. */
  readonly renderRest: (language: Language, site: Site) => string;
  /** The English page's offer to switch, in every other language, as JSON. */
  readonly renderOffers: (site: Site) => string;
  /** Everything that pages say in any language, to tell whether it has changed. */
  readonly allTexts: () => string;
  /** The preview of a link to a profile, made from the id alone. */
  readonly describeLink: (
    link: { readonly id: Snowflake; readonly nowMs: number },
    language: Language,
    site: Pick<Site, SettingOfTexts>,
  ) => { readonly title: string; readonly description: string };
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
