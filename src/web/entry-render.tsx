import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { PageRenderer } from '#shared/page.ts';
import { PAGE_PATHS } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { App } from './app.tsx';
import { windowBrowser } from './environment.ts';
import { renderHead } from './page-head.tsx';
import { pageAt, pages } from './pages.ts';
import { serializeSite, SITE_ELEMENT_ID } from './site-settings.ts';

const contents = new Map(
  await Promise.all(Object.entries(pages).map(async ([page, load]) => [page, await load()] as const)),
);

const renderSettings = (site: Site): string =>
  renderToStaticMarkup(
    <script
      type="application/json"
      id={SITE_ELEMENT_ID}
      dangerouslySetInnerHTML={{ __html: serializeSite(site) }}
    />,
  );

export const paths: PageRenderer['paths'] = PAGE_PATHS;

export const renderPage: PageRenderer['renderPage'] = (path, site) => {
  const Content = contents.get(pageAt(path, site));
  if (Content === undefined) throw new Error(`The page at ${path} has no content.`);
  const environment = { site, browser: windowBrowser };
  return {
    head: renderHead(path, site) + renderSettings(site),
    body: renderToString(<App environment={environment} path={path} Content={Content} />),
  };
};
