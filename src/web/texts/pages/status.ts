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
  lookups: 'Lookups in the last hour',
  served: 'Served',
  refused: 'Refused',
  tokens: 'Tokens',
  healthy: 'Healthy',
  cooling: 'Cooling',
  retired: 'Retired',
  lastRetirement: 'Last token retired',
  noRetirement: 'None so far',
};

export const lastDay = {
  title: 'Last 24 hours',
  /** What the chart shows, for those who do not see it. */
  summary: (served: string, refused: string, tokens: readonly [least: string, most: string]) =>
    `Lookups in the last 24 hours: ${served} served, ${refused} refused. Healthy tokens: ${tokens[0]} at least, ${tokens[1]} at most.`,
  served: (count: string) => `${count} served`,
  refused: (count: string) => `${count} refused`,
  tokens: 'Healthy tokens',
  /** What the chart's height stands for, in each hour; the number may be 0 or 1. */
  lookupScale: (count: string) => `Lookups: up to ${count}`,
  tokenScale: (count: string) => `Tokens: up to ${count}`,
  begin: '24 hours ago',
  end: 'Now',
  since: (time: string) => `No figures from before ${time} UTC.`,
  table: 'Show as a table',
  columns: ['Hour (UTC)', 'Served', 'Refused', 'Tokens healthy'],
};

export const statusReading = {
  refresh: 'Refresh',
  upToDate: 'The status is up to date.',
  updatedAt: (time: string) => `Updated ${time} UTC`,
  updatedNow: 'Updated just now',
  updatedAgo: (ago: string) => `Updated ${ago}`,
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
