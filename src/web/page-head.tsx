import { renderToStaticMarkup } from 'react-dom/server';
import type { Site } from '#shared/site.ts';
import { pageAt, pages } from './pages.ts';

/** What the document's head says of the page at a path. */
export const renderHead = (path: string, site: Site): string => {
  const page = pageAt(path, site);
  const title = page.title(site);
  const description = page.description(site);
  const address = site.publicUrl + path;
  const own = renderToStaticMarkup(
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {pages.get(path) !== page ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={address} />
          <meta property="og:url" content={address} />
        </>
      )}
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        href="/opensearch.xml"
        title={site.brandName}
      />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.brandName} />
      <meta property="og:image" content={`${site.publicUrl}/icon-512.png`} />
      <meta name="twitter:card" content="summary" />
    </>,
  );
  // Between the markers: what the server says anew for a link to one result.
  const preview = renderToStaticMarkup(
    <>
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
    </>,
  );
  return `${own}<!--preview-->${preview}<!--/preview-->`;
};
