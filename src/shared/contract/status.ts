import { Type, type Static } from 'typebox';

/** With fewer a single revocation is felt. */
export const ENOUGH_TOKENS = 3;

export const PAUSE_CAUSES = [
  'banned',
  'invalid-requests',
  'platform-failing',
  'no-tokens',
  'tokens-cooling',
  'store-unavailable',
] as const;

/** Why no lookup that is not cached is answered; `until` is null if that is not known. */
const LookupPauseSchema = Type.Object({
  cause: Type.Enum(PAUSE_CAUSES),
  since: Type.String(),
  until: Type.Union([Type.String(), Type.Null()]),
});

/** An hour of the clock. */
const HourSchema = Type.Object({
  from: Type.String(),
  served: Type.Integer(),
  refused: Type.Integer(),
  tokens_healthy: Type.Integer({ description: 'The most at one time.' }),
});

/** Counts only: nothing could tell one token or one visitor from another. */
export const StatusSchema = Type.Object(
  {
    tokens: Type.Object({ healthy: Type.Integer(), cooling: Type.Integer(), retired: Type.Integer() }),
    lookups_last_hour: Type.Object(
      { served: Type.Integer(), refused: Type.Integer() },
      { description: 'Estimated from this hour of the clock and the one before.' },
    ),
    last_24_hours: Type.Array(HourSchema, {
      maxItems: 24,
      description:
        'Oldest first; the last one is not over yet. Hours of which nothing is known are left out.',
    }),
    last_retirement: Type.Union([Type.String(), Type.Null()]),
    donations_needed: Type.Boolean(),
    paused: Type.Union([LookupPauseSchema, Type.Null()]),
    updated_at: Type.String({ description: 'When the counts were taken.' }),
  },
  { title: 'Status', description: 'The counts.' },
);

export const HealthSchema = Type.String({ description: 'The word "ok".' });

export type LookupPause = Static<typeof LookupPauseSchema>;
export type Status = Static<typeof StatusSchema>;
