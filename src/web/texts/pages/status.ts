import type { Site } from '#shared/site.ts';

export const statusPage = ({ brandName, platformName }: Site) => ({
  title: 'Status',
  lead: `How many tokens ${brandName} has and how lookups are going. Totals only, nothing about individual tokens or visitors.`,
  glossary: {
    title: 'Glossary',
    texts: [
      [
        'A healthy token can answer a lookup right now.',
        `A cooling token is waiting until ${platformName} lets it ask again.`,
        'A retired token was revoked or terminated, and is no longer used.',
        `A refused lookup got no answer because no token was free or ${platformName} failed.`,
      ],
      'The same data as JSON: [/status.json](/status.json). The whole API is described in [/openapi.json](/openapi.json).',
    ],
  },
});

export const statusFigures = {
  healthy: 'Tokens healthy',
  cooling: 'Tokens cooling',
  retired: 'Tokens retired',
  served: 'Lookups served, last hour',
  refused: 'Lookups refused, last hour',
  lastRetirement: 'Last retirement',
  noRetirement: 'None so far',
};

export const statusReading = {
  refresh: 'Refresh',
  upToDate: 'The status is up to date.',
  failed: 'The status could not be read. Please try again later.',
  unreachable: 'The server could not be reached. Check your connection and refresh.',
};

export const tokensNeeded = {
  title: 'Do we need tokens?',
  yes: 'Yes, we’re running low.',
  no: 'Not right now.',
  donate: 'Donate a bot token',
  readFirst: 'Before you donate, read [how token donations work](/token-donation).',
};

/** A few words on how lookups are going. */
export const liveStatus = {
  working: 'All lookups working',
  failing: 'Some lookups are failing',
  slow: 'Lookups are slow right now',
  paused: 'Lookups are paused',
  down: 'Lookups are down',
};
