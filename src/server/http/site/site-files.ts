import { directionOf, factsOf, localPath, type Language } from '#shared/languages.ts';
import type { PageRenderer } from '#shared/page.ts';
import type { PagePath } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { createStaticFile, type StaticFile } from './static-file.ts';

export const SITE_FILE_PATHS = ['/site.webmanifest', '/opensearch.xml'];

export const siteFiles = (
  { describeSite }: Pick<PageRenderer, 'describeSite'>,
  site: Site,
  language: Language,
): ReadonlyMap<string, StaticFile> => {
  const words = (): SiteWords => ({ ...describeSite(language, site), language });
  return new Map([
    [
      '/site.webmanifest',
      createStaticFile(() => JSON.stringify(manifest(site, words())), 'application/manifest+json'),
    ],
    [
      '/opensearch.xml',
      createStaticFile(() => openSearch(site, words()), 'application/opensearchdescription+xml'),
    ],
  ]);
};

type SiteWords = ReturnType<PageRenderer['describeSite']> & { readonly language: Language };

/** Shared results are not for search engines. Bots that only draw a preview may read them. */
const ROBOTS = `User-agent: *
Disallow: /*?id=

User-agent: Discordbot
User-agent: Twitterbot
User-agent: facebookexternalhit
User-agent: Slackbot
User-agent: TelegramBot
Allow: /
`;

export const robotsText = (): StaticFile => createStaticFile(() => ROBOTS, 'text/plain; charset=utf-8');

export const SECURITY_TEXT_PATH = '/.well-known/security.txt';

const EXPIRES_AFTER_MS = 180 * 24 * 3_600_000;

/** RFC 9116. Leads to the contact page, because the address itself is nowhere in plain text. */
export const securityText = ({ publicUrl }: Pick<Site, 'publicUrl'>, nowMs: number): StaticFile =>
  createStaticFile(
    () => `Contact: ${publicUrl}${'/contact' satisfies PagePath}
Expires: ${new Date(nowMs + EXPIRES_AFTER_MS).toISOString()}
Canonical: ${publicUrl}${SECURITY_TEXT_PATH}
Preferred-Languages: en
`,
    'text/plain; charset=utf-8',
  );

const BRAND_COLOR = '#4656d6';

const manifest = ({ brandName }: Site, { language, purpose }: SiteWords) => ({
  // The same app in every language, with one icon.
  id: '/',
  name: brandName,
  short_name: brandName,
  description: purpose,
  lang: factsOf(language).tag,
  dir: directionOf(language),
  start_url: localPath('/', language),
  display: 'standalone',
  background_color: BRAND_COLOR,
  theme_color: BRAND_COLOR,
  icons: [
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any maskable' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
  ],
});

const openSearch = (
  { brandName, publicUrl }: Site,
  { language, search }: SiteWords,
): string => `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeXml(brandName.slice(0, 16))}</ShortName>
  <Description>${escapeXml(search)}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="16" height="16" type="image/svg+xml">${escapeXml(publicUrl)}/favicon.svg</Image>
  <Url type="text/html" template="${escapeXml(publicUrl + localPath('/?id=', language))}{searchTerms}"/>
</OpenSearchDescription>
`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
