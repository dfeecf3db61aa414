import { hash } from 'node:crypto';

/** What stands in every page itself. What a setting brings into a page is not among it, and may not run. */
export type InlineCode = { readonly script: string; readonly style: string };

type SecurityHeaderOptions = {
  readonly cdnUrl: string | null;
  readonly publicUrl: string;
  readonly inlineCode: InlineCode;
};

const FEATURES_OFF = (
  'accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope magnetometer ' +
  'microphone midi payment picture-in-picture publickey-credentials-get screen-wake-lock usb xr-spatial-tracking'
).split(' ');

export const securityHeaders = ({
  cdnUrl,
  publicUrl,
  inlineCode,
}: SecurityHeaderOptions): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' ${hashOf(inlineCode.script)}`,
    `style-src 'self' ${hashOf(inlineCode.style)}`,
    "connect-src 'self'",
    "worker-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    cdnUrl === null ? "img-src 'self'" : `img-src 'self' ${new URL(cdnUrl).origin}`,
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
  // Without includeSubDomains: what runs there may not have https. A proxy can add it.
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});

/** In place of the policy above, for a worker that compiles WebAssembly and has no use for the network. */
export const WASM_WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'";

const hashOf = (code: string): string => `'sha256-${hash('sha256', code, 'base64')}'`;
