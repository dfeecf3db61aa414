import type { Site } from '#shared/site.ts';

export const offlinePage = ({ brandName, platformName }: Site) => ({
  title: 'No connection',
  lead: `We can’t reach ${brandName} right now, and lookups need the network. You can still paste an ID to see when it was created.`,
  label: `${platformName} ID`,
  again: 'Try again',
  back: 'You’re back online.',
});
