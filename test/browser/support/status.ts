import type { Status } from '#shared/contract/status.ts';

export const STATUS: Status = {
  tokens: { healthy: 1234, cooling: 5, retired: 67 },
  lookups_last_hour: { served: 890, refused: 12 },
  last_24_hours: [
    { from: '2026-11-17T02:00:00.000Z', served: 1_100, refused: 34, tokens_healthy: 5 },
    { from: '2026-11-17T03:00:00.000Z', served: 321, refused: 4, tokens_healthy: 9 },
  ],
  last_retirement: '2026-09-30T04:05:06.000Z',
  donations_needed: true,
  paused: null,
  updated_at: '2026-11-17T03:00:00.000Z',
};
