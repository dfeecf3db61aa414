import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { PageRenderer } from '#shared/page.ts';
import type { Site } from '#shared/site.ts';
import { App } from './app.tsx';
import { browserOfThisPage } from './browser.ts';
import { renderHead } from './page-head.tsx';
import { notFoundPage, pageAt, pages, pausedLinkPage } from './pages.ts';
import { serializeSite, SITE_ELEMENT_ID } from './site-settings.ts';

const contents = new Map(
  await Promise.all(
    [notFoundPage, pausedLinkPage, ...pages.values()].map(
      async (page) => [page, await page.loadContent()] as const,
    ),
  ),
);

const renderSettings = (site: Site): string =>
  renderToStaticMarkup(
    <script
      type="application/json"
      id={SITE_ELEMENT_ID}
      dangerouslySetInnerHTML={{ __html: serializeSite(site) }}
    />,
  );

export const paths: PageRenderer['paths'] = [...pages.keys()];

export const renderPage: PageRenderer['renderPage'] = (path, site) => {
  const page = pageAt(path, site);
  const Content = contents.get(page);
  if (Content === undefined) throw new Error(`The page at ${path} has no content.`);
  const environment = { site, browser: browserOfThisPage };
  return {
    head: renderHead(path, site) + renderSettings(site),
    body: renderToString(<App environment={environment} path={path} Content={Content} />),
  };
};
