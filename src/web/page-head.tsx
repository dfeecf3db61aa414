import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { PAGE_COLORS } from '#shared/colors.ts';
import { factsOf, LANGUAGE_CODES, localPath, type Language } from '#shared/languages.ts';
import type { WantedPage } from '#shared/page.ts';
import type { PageName } from '#shared/paths.ts';
import { DEFAULT_BRAND, type Site } from '#shared/site.ts';
import { localize } from './texts/localize.ts';
import { pageAt } from './pages.ts';

type HeadTexts = readonly [title: string, description: string];

/** The page's title and description. */
const textsOf = (page: PageName, language: Language, site: Site): HeadTexts => {
  const { head, frame, notFound, offline } = localize(
    ['head', 'frame', 'notFound', 'offline'],
    language,
    site,
  );
  const texts: Readonly<Record<PageName, HeadTexts>> = {
    '/': ['', head.lookup],
    '/token-donation': [frame.tokenDonation, site.tokenDonations ? head.tokenDonation : head.noTokenDonation],
    '/donate': [frame.supportUs, head.donate],
    '/contact': [frame.contactUs, head.contact],
    '/status': [frame.status, head.status],
    '/privacy': [frame.privacy, head.privacy],
    '/help': [frame.help, head.help],
    offline: [offline.title, offline.title],
    'paused-link': [head.pausedLinkTitle, head.pausedLink],
    'not-found': [notFound.title, notFound.title],
  };
  const [title, description] = texts[page];
  return [title ? `${title} · ${site.brandName}` : head.siteTitle, description];
};

/** The same page in every language, which search engines want to know from each of them. */
const Alternates = ({ path, site }: Pick<WantedPage, 'path' | 'site'>): ReactNode => (
  <>
    {LANGUAGE_CODES.map((language) => (
      <link
        key={language}
        rel="alternate"
        hrefLang={factsOf(language).tag}
        href={site.publicUrl + localPath(path, language)}
      />
    ))}
    <link rel="alternate" hrefLang="x-default" href={site.publicUrl + path} />
  </>
);

/** The picture of every preview. One has the product's name on it. */
const picturePath = ({ brandName }: Site): string =>
  brandName === DEFAULT_BRAND ? '/preview.png' : '/preview-unnamed.png';
/** For previews that are laid out before the picture has loaded. */
const PICTURE_SIZE = { width: '1200', height: '630' };

/** What the document's head says about the page at a path. */
export const renderHead = ({ path, language, site }: Omit<WantedPage, 'textUrls'>): string => {
  const page = pageAt(path, site);
  const [title, description] = textsOf(page, language, site);
  const { previewPicture } = localize(['head'], language, site).head;
  const address = site.publicUrl + localPath(path, language);
  const own = renderToStaticMarkup(
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {page !== path && <meta name="robots" content="noindex" />}
      {Object.entries(PAGE_COLORS).map(([theme, color]) => (
        <meta key={theme} name="theme-color" media={`(prefers-color-scheme: ${theme})`} content={color} />
      ))}
      <link rel="manifest" href={localPath('/site.webmanifest', language)} />
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        href={localPath('/opensearch.xml', language)}
        title={site.brandName}
      />
      <meta property="og:type" content="website" />
      <meta property="og:locale" content={factsOf(language).tag.replace('-', '_')} />
      <meta property="og:site_name" content={site.brandName} />
      <meta property="og:image" content={site.publicUrl + picturePath(site)} />
      <meta property="og:image:width" content={PICTURE_SIZE.width} />
      <meta property="og:image:height" content={PICTURE_SIZE.height} />
      <meta property="og:image:alt" content={previewPicture} />
      <meta name="twitter:card" content="summary_large_image" />
    </>,
  );
  // Between the markers: what the server replaces in a link to one result.
  const preview = renderToStaticMarkup(
    <>
      {page === path && (
        <>
          <link rel="canonical" href={address} />
          <Alternates path={path} site={site} />
          <meta property="og:url" content={address} />
        </>
      )}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
    </>,
  );
  return `${own}<!--preview-->${preview}<!--/preview-->`;
};
