import { SHARED_TEXT, type PagePath } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { escapeHtml } from './link-preview.ts';
import { createStaticFile, type StaticFile } from './static-file.ts';

/** Files that browsers and crawlers ask for and that depend on the site's settings. */
export const siteFiles = (site: Site): ReadonlyMap<string, StaticFile> =>
  new Map([
    ['/robots.txt', file(ROBOTS, 'text/plain; charset=utf-8')],
    ['/site.webmanifest', file(JSON.stringify(manifest(site)), 'application/manifest+json')],
    ['/opensearch.xml', file(openSearch(site), 'application/opensearchdescription+xml')],
  ]);

const file = (text: string, contentType: string): StaticFile =>
  createStaticFile(() => Buffer.from(text), contentType);

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

export const SECURITY_TEXT_PATH = '/.well-known/security.txt';

const EXPIRES_AFTER_MS = 180 * 24 * 3_600_000;

/** RFC 9116. It leads to the page with the contact address, which stands nowhere in plain text. */
export const securityText = ({ publicUrl }: Pick<Site, 'publicUrl'>, nowMs: number): StaticFile =>
  file(
    `Contact: ${publicUrl}${'/contact' satisfies PagePath}
Expires: ${new Date(nowMs + EXPIRES_AFTER_MS).toISOString()}
Canonical: ${publicUrl}${SECURITY_TEXT_PATH}
Preferred-Languages: en
`,
    'text/plain; charset=utf-8',
  );

const BRAND_COLOR = '#4656d6';

const manifest = ({ brandName, platformName }: Site) => ({
  name: brandName,
  short_name: brandName,
  description: `Look up the public ${platformName} profile behind a user ID. Unofficial.`,
  start_url: '/',
  display: 'standalone',
  // There is one for both themes, so it is that of the icon.
  background_color: BRAND_COLOR,
  theme_color: BRAND_COLOR,
  share_target: { action: '/' satisfies PagePath, method: 'GET', params: SHARED_TEXT },
  icons: [
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any maskable' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
  ],
});

const openSearch = ({
  brandName,
  platformName,
  publicUrl,
}: Site): string => `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeXml(brandName.slice(0, 16))}</ShortName>
  <Description>${escapeXml(`Look up a ${platformName} profile by its user ID`)}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="16" height="16" type="image/svg+xml">${escapeXml(publicUrl)}/favicon.svg</Image>
  <Url type="text/html" template="${escapeXml(publicUrl)}/?id={searchTerms}"/>
</OpenSearchDescription>
`;

const escapeXml = (text: string): string => escapeHtml(text).replaceAll('>', '&gt;');
