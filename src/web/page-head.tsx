import { renderToStaticMarkup } from 'react-dom/server';
import { PAGE_COLORS } from '#shared/colors.ts';
import { factsOf, LANGUAGE_CODES, localeOf, localPath, type Language } from '#shared/languages.ts';
import type { WantedPage } from '#shared/page.ts';
import type { PageName } from '#shared/paths.ts';
import { DEFAULT_BRAND, type Site } from '#shared/site.ts';
import { localize } from './texts/localize.ts';
import { pageAt } from './pages.ts';

type HeadTexts = readonly [title: string, description: string];

const textsOf = (page: PageName, language: Language, site: Site): HeadTexts => {
  const { head, ...pages } = localize(
    ['head', 'tokenDonation', 'donate', 'contact', 'status', 'privacy', 'help', 'api', 'notFound'],
    language,
    site,
  );
  const texts: Readonly<Record<PageName, HeadTexts>> = {
    '/': ['', head.lookup],
    '/token-donation': site.tokenDonations
      ? [pages.tokenDonation.title, head.tokenDonation]
      : [pages.tokenDonation.closedTitle, head.noTokenDonation],
    '/donate': [pages.donate.title, head.donate],
    '/contact': [pages.contact.title, head.contact],
    '/status': [pages.status.title, head.status],
    '/privacy': [pages.privacy.title, head.privacy],
    '/help': [pages.help.title, head.help],
    '/api': [pages.api.title, head.api],
    'paused-link': [head.pausedLinkTitle, head.pausedLink],
    'not-found': [pages.notFound.title, pages.notFound.title],
  };
  const [title, description] = texts[page];
  return [title ? `${title} · ${site.brandName}` : head.siteTitle, description];
};

const preload = (kind: string, paths: Iterable<string>): string =>
  Array.from(paths, (path) => `<link rel="${kind}" href="${path}" crossorigin>`).join('');

/** In the head, these files would compete with the page itself. `entry-frame.ts` loads the code of other content. */
export const renderEnd = ({ site, assets }: WantedPage): string => {
  const [frame, ...parts] = assets.frame;
  const modules = site.linked ? [...parts, ...assets.client, ...assets.lookup] : parts;
  return [
    preload('preload" as="font" type="font/woff2', [assets.font]),
    `<script type="module" src="${frame}" fetchpriority="low" crossorigin></script>`,
    preload('modulepreload" fetchpriority="low', new Set(modules)),
    site.linked ? preload('preload" as="fetch', ['/challenge']) : '',
  ].join('');
};

/** Not by React, which would bring it into an order of its own. */
const beginningOf = (wanted: WantedPage): string => {
  const { early, styles } = wanted.assets;
  return [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    ...Object.entries(PAGE_COLORS).map(
      ([theme, color]) =>
        `<meta name="theme-color" media="(prefers-color-scheme: ${theme})" content="${color}">`,
    ),
    `<script>${early}</script><style>${styles}</style>`,
    // The page is painted when all of it has arrived, so that nothing moves.
    '<link rel="expect" href="#whole" blocking="render">',
  ].join('');
};

/** `ar_AR` is what previewers call Arabic of any country. */
const previewLocale = (code: Language): string => {
  const { language, region } = new Intl.Locale(localeOf(code)).maximize();
  return `${language}_${language === 'ar' ? 'AR' : region}`;
};

const PICTURE_SIZE = { width: '1200', height: '630' };

export const renderHead = (wanted: WantedPage): string => {
  const { path, language, site } = wanted;
  const { brandName, publicUrl, linked } = site;
  const { previewPicture } = localize(['head'], language, site).head;
  const [title, description] = textsOf(pageAt(path, site), language, site);
  const addressIn = (code: Language): string => publicUrl + localPath(path, code);
  const picture = brandName === DEFAULT_BRAND ? '/preview.png' : '/preview-unnamed.png';
  const rest = renderToStaticMarkup(
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {pageAt(path, site) === path && !linked ? (
        <>
          <link rel="canonical" href={addressIn(language)} />
          {LANGUAGE_CODES.map((code) => (
            <link key={code} rel="alternate" hrefLang={factsOf(code).tag} href={addressIn(code)} />
          ))}
          <link rel="alternate" hrefLang="x-default" href={publicUrl + path} />
          <meta property="og:url" content={addressIn(language)} />
        </>
      ) : (
        <meta name="robots" content="noindex" />
      )}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href={localPath('/site.webmanifest', language)} />
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        href={localPath('/opensearch.xml', language)}
        title={brandName}
      />
      <meta property="og:type" content="website" />
      <meta property="og:locale" content={previewLocale(language)} />
      <meta property="og:site_name" content={brandName} />
      <meta property="og:image" content={publicUrl + picture} />
      <meta property="og:image:width" content={PICTURE_SIZE.width} />
      <meta property="og:image:height" content={PICTURE_SIZE.height} />
      <meta property="og:image:alt" content={previewPicture} />
      <meta name="twitter:card" content="summary_large_image" />
    </>,
  );
  return beginningOf(wanted) + rest;
};
