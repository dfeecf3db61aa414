import type { Status } from '#shared/contract/status.ts';
import type { Language } from '#shared/languages.ts';
import type { PageAssets, PageRenderer, TextUrls } from '#shared/page.ts';
import { API_PAGE_PATH, STATUS_PATH } from '#shared/paths.ts';
import type { ApiDescription, PausedLink, Site } from '#shared/site.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createLinkPage, LINK_GAPS } from './link-page.ts';
import { siteFiles } from './site-files.ts';
import { createStaticFile, type StaticFile } from './static-file.ts';

/** The pages in one language, by their English paths. */
export type LanguagePages = {
  /** All but /status and /api, and the files that depend on the language. */
  readonly pages: ReadonlyMap<string, StaticFile>;
  /** The lookup page for a link to a profile. */
  readonly linkPage: (id: Snowflake, nowMs: number) => StaticFile;
  readonly notFoundPage: StaticFile;
  readonly statusPage: (status: Status) => StaticFile;
  readonly apiPage: (api: ApiDescription) => StaticFile;
  readonly pausedLinkPage: (link: PausedLink) => StaticFile;
};

export type LanguagePagesDeps = {
  readonly renderer: PageRenderer;
  readonly assets: PageAssets;
  readonly site: Site;
  readonly language: Language;
  readonly textUrls: TextUrls;
};

/** The page that browsers keep for when there is no network. */
export const OFFLINE_PATH = '/offline.html';
const HTML = 'text/html; charset=utf-8';

export const createLanguagePages = (deps: LanguagePagesDeps): LanguagePages => {
  const { renderer, site, language } = deps;
  const render = (path: string, shown: Site): string => renderer.renderPage({ ...deps, path, site: shown });
  const page = (path: string, shown = site): StaticFile =>
    createStaticFile(() => Buffer.from(render(path, shown)), HTML);
  /** One for each link that was ever paused. There are few. */
  const pausedPages = new Map<string, StaticFile>();
  const fillLinkPage = createLinkPage(() => render('/', { ...site, linked: LINK_GAPS }));

  return {
    pages: new Map([
      ...renderer.paths
        .filter((path) => path !== STATUS_PATH && path !== API_PAGE_PATH)
        .map((path): [string, StaticFile] => [path, page(path)]),
      ...siteFiles(renderer, site, language),
      // Without the contact address: its random decoys would make this a new page at every start.
      [OFFLINE_PATH, page('/', { ...site, offline: true, contact: [] })],
    ]),
    linkPage: (id, nowMs) => fillLinkPage(renderer.describeLink({ id, nowMs }, language, site)),
    notFoundPage: page('/404'),
    statusPage: (status) => page(STATUS_PATH, { ...site, status }),
    apiPage: (api) => page(API_PAGE_PATH, { ...site, api }),
    pausedLinkPage: (pausedLink) => {
      const key = `${pausedLink.name} ${pausedLink.because}`;
      const file = pausedPages.get(key) ?? page(`/${pausedLink.name}`, { ...site, pausedLink });
      pausedPages.set(key, file);
      return file;
    },
  };
};
