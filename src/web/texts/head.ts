import type { PagePath } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';

export type HeadTexts = readonly [title: string, description: string];

/** Titles and descriptions of the pages. Not beside their other texts: the browser has them in the page already. */
export const headTexts = (site: Site) => {
  const { brandName, platformName } = site;
  return {
    '/': ['', `Look up the public ${platformName} profile behind a user ID. Unofficial.`],
    '/token-donation': [
      'Token Donation',
      site.tokenDonations
        ? `How to donate a ${platformName} bot token to ${brandName}, what it is used for and what the risks are.`
        : `${brandName} doesn’t accept bot tokens.`,
    ],
    '/donate': [
      'Support us',
      `Keep ${brandName} running. From ${site.vanityMinEur} EUR you can request a vanity link.`,
    ],
    '/contact': ['Contact us', `How to reach the people behind ${brandName}.`],
    '/status': ['Status', `How many tokens ${brandName} has and how its lookups are going.`],
    '/privacy': ['Privacy', `What ${brandName} keeps, for how long, and how to opt out.`],
    '/help': ['Help', `What ${brandName} can show of a ${platformName} profile, and how to find an ID.`],
    offline: ['No connection', 'No connection'],
    'paused-link': ['Link paused', 'This link is paused.'],
    'not-found': ['Page not found', 'Page not found'],
  } satisfies Readonly<Record<PagePath | 'offline' | 'paused-link' | 'not-found', HeadTexts>>;
};

/** The title of the lookup page, which is the whole site to most. */
export const siteTitle = ({ brandName, platformName }: Site): string =>
  `${brandName}: ${platformName} profile lookup`;

export const previewPictureText = ({ platformName }: Site): string =>
  `A user ID, and the ${platformName} profile behind it`;
