import { renderToStaticMarkup } from 'react-dom/server';
import { PAGE_COLORS } from '#shared/colors.ts';
import { DEFAULT_BRAND, type Site } from '#shared/site.ts';
import { headTexts, previewPictureText, siteTitle, type HeadTexts } from './texts/head.ts';
import { pageAt, type PageName } from './pages.ts';

/** The page's title and description. */
const textsOf = (page: PageName, site: Site): HeadTexts => {
  const [title, description] = headTexts(site)[page];
  return [title ? `${title} · ${site.brandName}` : siteTitle(site), description];
};

/** The picture of every preview. One has the product's name on it. */
const picturePath = ({ brandName }: Site): string =>
  brandName === DEFAULT_BRAND ? '/preview.png' : '/preview-unnamed.png';
/** Who draws one without loading it must know. */
const PICTURE_SIZE = { width: '1200', height: '630' };

/** What the document's head says of the page at a path. */
export const renderHead = (path: string, site: Site): string => {
  const page = pageAt(path, site);
  const [title, description] = textsOf(page, site);
  const address = site.publicUrl + path;
  const own = renderToStaticMarkup(
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {page !== path && <meta name="robots" content="noindex" />}
      {Object.entries(PAGE_COLORS).map(([theme, color]) => (
        <meta key={theme} name="theme-color" media={`(prefers-color-scheme: ${theme})`} content={color} />
      ))}
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        href="/opensearch.xml"
        title={site.brandName}
      />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.brandName} />
      <meta property="og:image" content={site.publicUrl + picturePath(site)} />
      <meta property="og:image:width" content={PICTURE_SIZE.width} />
      <meta property="og:image:height" content={PICTURE_SIZE.height} />
      <meta property="og:image:alt" content={previewPictureText(site)} />
      <meta name="twitter:card" content="summary_large_image" />
    </>,
  );
  // Between the markers: what the server replaces in a link to one result.
  const preview = renderToStaticMarkup(
    <>
      {page === path && (
        <>
          <link rel="canonical" href={address} />
          <meta property="og:url" content={address} />
        </>
      )}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
    </>,
  );
  return `${own}<!--preview-->${preview}<!--/preview-->`;
};
