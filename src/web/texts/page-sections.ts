import type { PageName } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import type { Section } from './translation.ts';

const EVERYWHERE: readonly Section[] = ['frame', 'ui', 'live'];

/** What each page says at its first paint, and later without asking the server again. */
const BY_PAGE: Readonly<Record<PageName, readonly Section[]>> = {
  '/': ['lookup', 'id'],
  '/token-donation': ['tokenDonation', 'donation', 'captcha', 'errors'],
  '/donate': ['donate', 'contactAddress'],
  '/contact': ['contact', 'contactAddress'],
  '/status': ['status'],
  '/privacy': ['privacy'],
  '/help': ['help'],
  '/api': ['api'],
  'paused-link': ['pausedLink'],
  'not-found': ['notFound'],
};

export const sectionsOf = (page: PageName, { sandbox, linked }: Site): readonly Section[] => [
  ...EVERYWHERE,
  ...BY_PAGE[page],
  ...(page === '/' && sandbox ? (['samples'] as const) : []),
  ...(linked ? (['card'] as const) : []),
];

/** What the lookup page fetches on first use. */
export const REST: readonly Section[] = [
  'captcha',
  'answer',
  'errors',
  'card',
  'flags',
  'pictures',
  'export',
  'recents',
  'donation',
];
