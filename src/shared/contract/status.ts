import { Type, type Static } from 'typebox';

/** How the pool is doing: counts only, nothing that could tell one token or one visitor from another. */
export const StatusSchema = Type.Object(
  {
    tokens: Type.Object({ healthy: Type.Integer(), cooling: Type.Integer(), retired: Type.Integer() }),
    lookups_last_hour: Type.Object({ served: Type.Integer(), refused: Type.Integer() }),
    last_retirement: Type.Union([Type.String(), Type.Null()]),
    donations_needed: Type.Boolean(),
  },
  { title: 'Status', description: 'The counts.' },
);

export const HealthSchema = Type.String({ description: 'The word "ok".' });

export type Status = Static<typeof StatusSchema>;
