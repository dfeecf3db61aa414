import { createHash } from 'node:crypto';

/** The scripts and styles that stand in a page itself, as the content security policy names them: by their hashes. */
export type InlineCode = { readonly scripts: readonly string[]; readonly styles: readonly string[] };

export type SecurityHeaderOptions = {
  /** Images may come from here besides our own origin. */
  readonly cdnUrl: string;
  /** The site's own address; https turns on HSTS. */
  readonly publicUrl: string;
  /** What the pages themselves carry. */
  readonly inlineCode: InlineCode;
};

const FEATURES_OFF = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
];

/** Sent with every answer, errors and redirects included. */
export const securityHeaders = ({
  cdnUrl,
  publicUrl,
  inlineCode,
}: SecurityHeaderOptions): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    ["script-src 'self'", ...inlineCode.scripts].join(' '),
    ["style-src 'self'", ...inlineCode.styles].join(' '),
    "connect-src 'self'",
    "worker-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    `img-src 'self' ${new URL(cdnUrl).origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': FEATURES_OFF.map((feature) => `${feature}=()`).join(', '),
  'x-frame-options': 'DENY',
  // Not for the names below ours: what is there may not speak https. A proxy can say so where it does.
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});

/** Reads them out of the template, which is ours alone: what settings put into a page later is not allowed to run. */
export const inlineCodeOf = (template: string): InlineCode => ({
  scripts: sourcesOf(template, 'script'),
  styles: sourcesOf(template, 'style'),
});

const sourcesOf = (template: string, tag: string): string[] =>
  [...template.matchAll(new RegExp(`<${tag}>(.+?)</${tag}>`, 'gs'))].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
