/** Every page with a path of its own. */
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

/** What a path shows: its page, or one that replaces it. */
export type PageName = PagePath | 'offline' | 'paused-link' | 'not-found';

/** The page that is rendered repeatedly, with the current figures. */
export const STATUS_PATH = '/status' satisfies PagePath;

/** The page that is made from the OpenAPI document. */
export const API_PAGE_PATH = '/api' satisfies PagePath;

/** Pictures of the platform that we pass on: this, a signature, and their path on the CDN. */
export const PICTURE_PATH = '/picture/';
export const SAMPLE_PICTURE_PATH = `${PICTURE_PATH}sample`;

/** Texts that pages fetch after their first paint. */
export const TEXTS_PATH = '/texts/';

/** Every path of the API, with the one method it takes. */
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

/** The parameters of the lookup page that hold what another app shares. */
export const SHARED_TEXT = { title: 'title', text: 'text', url: 'url' };
