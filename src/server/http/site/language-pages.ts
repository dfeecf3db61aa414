import type { Status } from '#shared/contract/status.ts';
import type { PageRenderer, WantedPage } from '#shared/page.ts';
import { PAGE_PATHS, STATUS_PATH } from '#shared/paths.ts';
import type { Linked, PausedLink, Site } from '#shared/site.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { SITE_FILE_PATHS, siteFiles } from './site-files.ts';
import { createStaticFile, FAST, NO_CACHE, type StaticFile } from './static-file.ts';

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
  const describeLink = renderer.linkDescriber(language, site);
  const fillLinkPage = createLinkPage(() => render('/', { ...site, linked: LINK_GAPS }));

  return {
    pages: new Map<string, StaticFile>([
      ...FIXED_PAGES.map((path): [string, StaticFile] => [path, page(path)]),
      ...siteFiles(renderer, site, language),
    ]),
    linkPage: (id: Snowflake, nowMs: number): StaticFile => fillLinkPage(describeLink(id, nowMs)),
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

const LINK_GAPS: Linked = {
  id: '{{id}}',
  createdIso: '{{createdIso}}',
  created: '{{created}}',
  age: '{{age}}',
  place: '{{place}}',
  today: '{{today}}',
  title: '{{title}}',
  description: '{{description}}',
};

const GAP = /\{\{(\w+)\}\}/;
/** Would be markup in a page, or end a text in its data. Dates in words contain none of them. */
const UNSAFE = /["&<>\\]/g;

/** Cut at its gaps once: to search the whole page for them takes longer than to send it. */
const createLinkPage = (render: () => string): ((linked: Linked) => StaticFile) => {
  let pieces: readonly string[] | undefined;
  return (linked) => {
    const gaps: Readonly<Record<string, string>> = linked;
    const fillIn = (piece: string, n: number): string =>
      n % 2 === 0 ? piece : (gaps[piece] ?? '').replaceAll(UNSAFE, '');
    const make = (): string => (pieces ??= render().split(GAP)).map(fillIn).join('');
    return createStaticFile(make, HTML, NO_CACHE, FAST);
  };
};
