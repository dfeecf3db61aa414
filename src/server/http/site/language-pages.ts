import type { Status } from '#shared/contract/status.ts';
import type { PageRenderer, WantedPage } from '#shared/page.ts';
import { PAGE_PATHS, STATUS_PATH } from '#shared/paths.ts';
import type { PausedLink, Site } from '#shared/site.ts';
import { SITE_FILE_PATHS, siteFiles } from './site-files.ts';
import { createStaticFile, type StaticFile } from './static-file.ts';

export type LanguagePages = ReturnType<typeof createLanguagePages>;

type LanguagePagesDeps = Omit<WantedPage, 'path'> & { readonly renderer: PageRenderer };

const HTML = 'text/html; charset=utf-8';
const FIXED_PAGES = PAGE_PATHS.filter((path) => path !== STATUS_PATH);
export const LANGUAGE_PATHS = [...FIXED_PAGES, ...SITE_FILE_PATHS];

export const createLanguagePages = (deps: LanguagePagesDeps) => {
  const { renderer, site, language } = deps;
  const render = (path: string, shown: Site): string => renderer.renderPage({ ...deps, path, site: shown });
  const page = (path: string, shown = site): StaticFile => createStaticFile(() => render(path, shown), HTML);
  /** One for each link that was ever paused. There are few. */
  const pausedPages = new Map<string, StaticFile>();

  return {
    pages: new Map<string, StaticFile>([
      ...FIXED_PAGES.map((path): [string, StaticFile] => [path, page(path)]),
      ...siteFiles(renderer, site, language),
    ]),
    linkPage: page('/', { ...site, linked: true }),
    notFoundPage: page('/404'),
    statusPage: (status: Status): StaticFile => page(STATUS_PATH, { ...site, status }),
    pausedLinkPage: (pausedLink: PausedLink): StaticFile => {
      const key = `${pausedLink.name} ${pausedLink.because}`;
      const file = pausedPages.get(key) ?? page(`/${pausedLink.name}`, { ...site, pausedLink });
      pausedPages.set(key, file);
      return file;
    },
  };
};
