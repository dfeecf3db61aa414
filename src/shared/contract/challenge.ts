import { Type, type Static } from 'typebox';

export const ChallengeSchema = Type.Object({
  algorithm: Type.Literal('SHA-256'),
  challenge: Type.String(),
  salt: Type.String(),
  signature: Type.String(),
  maxnumber: Type.Integer(),
});

export type Challenge = Static<typeof ChallengeSchema>;
