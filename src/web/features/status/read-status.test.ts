import { expect, it } from 'vitest';
import type { Status } from '#shared/contract/status.ts';
import { STATUS } from '#test/support/site.ts';
import { ENGLISH } from '#test/support/texts.ts';
import { summarizeStatus } from './read-status.ts';

const status = (tokens: Partial<Status['tokens']>, served = 0, refused = 0): Status => ({
  ...STATUS,
  tokens: { healthy: 0, cooling: 0, retired: 9, ...tokens },
  lookups_last_hour: { served, refused },
});

it.each([
  ['no token is left', status({}), 'poor', 'Lookups are down'],
  ['all tokens wait', status({ cooling: 3 }), 'fair', 'Lookups are slow right now'],
  ['many are refused', status({ healthy: 1 }, 19, 5), 'fair', 'Some lookups are failing'],
  ['a small share is refused', status({ healthy: 1 }, 20, 5), 'good', 'Lookups are working'],
] as const)('the status in a few words when %s', (_, known, tone, words) => {
  const summary = summarizeStatus(known);
  expect([summary.tone, ENGLISH.live[summary.words]]).toEqual([tone, words]);
});
