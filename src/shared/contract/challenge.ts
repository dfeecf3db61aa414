import { Type, type Static } from 'typebox';

export const ChallengeSchema = Type.Object(
  {
    algorithm: Type.Literal('SHA-256'),
    challenge: Type.String(),
    salt: Type.String(),
    signature: Type.String(),
    maxnumber: Type.Integer(),
  },
  { title: 'Challenge', description: 'The challenge.' },
);

export const ProofSchema = Type.String({
  description:
    'A solved challenge: the Base64 of the JSON of its algorithm, challenge, number, salt and signature. Good for one request.',
});

export type Challenge = Static<typeof ChallengeSchema>;
