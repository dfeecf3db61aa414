export const PAGE_PATHS = [
  '/',
  '/token-donation',
  '/donate',
  '/contact',
  '/status',
  '/privacy',
  '/help',
  '/api',
] as const;

export type PagePath = (typeof PAGE_PATHS)[number];

export const isPagePath = (path: string): path is PagePath => PAGE_PATHS.some((page) => page === path);

export type PageName = PagePath | 'paused-link' | 'not-found';

export const STATUS_PATH = '/status' satisfies PagePath;

/** Pictures of the platform that we pass on: this, a signature, and their path on the CDN. */
export const PICTURE_PATH = '/picture/';
export const SAMPLE_PICTURE_PATH = `${PICTURE_PATH}sample`;

export const API_METHODS = {
  '/challenge': 'GET',
  '/lookup': 'POST',
  '/donate-token': 'POST',
  '/withdraw-token': 'POST',
  '/status.json': 'GET',
  '/openapi.json': 'GET',
  '/healthz': 'GET',
} as const;

export type ApiPath = keyof typeof API_METHODS;
