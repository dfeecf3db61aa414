import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { PageRenderer } from '#shared/page.ts';
import type { Site } from '#shared/site.ts';
import { App } from './app.tsx';
import { browserOfThisPage } from './browser.ts';
import { notFoundPage, pageAt, pages, type Page } from './pages.ts';
import { serializeSite, SITE_ELEMENT_ID } from './site-settings.ts';

const renderHead = (page: Page, site: Site): string =>
  renderToStaticMarkup(
    <>
      <title>{page.title(site)}</title>
      <meta name="description" content={page.description(site)} />
      <script
        type="application/json"
        id={SITE_ELEMENT_ID}
        dangerouslySetInnerHTML={{ __html: serializeSite(site) }}
      />
    </>,
  );

export const paths: PageRenderer['paths'] = [...pages.keys()];

export const renderPage: PageRenderer['renderPage'] = (path, site) => {
  const page = pageAt(path);
  return {
    status: page === notFoundPage ? 404 : 200,
    head: renderHead(page, site),
    body: renderToString(<App environment={{ site, browser: browserOfThisPage }} renderedPath={path} />),
  };
};
