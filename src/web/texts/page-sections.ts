import type { PageName } from '#shared/paths.ts';
import type { Section } from './translation.ts';

const EVERYWHERE: readonly Section[] = ['frame', 'ui', 'live'];
const PROVED: readonly Section[] = ['captcha', 'errors', 'donation'];

/** All that a page and its code may ever say. */
const BY_PAGE: Readonly<Record<PageName, readonly Section[]>> = {
  '/': [
    'lookup',
    'findId',
    'id',
    ...PROVED,
    'answer',
    'card',
    'flags',
    'flagNotes',
    'pictures',
    'export',
    'recents',
  ],
  '/token-donation': ['tokenDonation', ...PROVED],
  '/donate': ['donate', 'contactAddress'],
  '/contact': ['contact', 'contactAddress'],
  '/status': ['status'],
  '/privacy': ['privacy'],
  '/help': ['help', 'findId'],
  '/api': ['api'],
  'paused-link': ['pausedLink'],
  'not-found': ['notFound'],
};

export const sectionsOf = (page: PageName, sandbox: boolean): readonly Section[] => [
  ...EVERYWHERE,
  ...BY_PAGE[page],
  ...(page === '/' && sandbox ? (['samples'] as const) : []),
];
