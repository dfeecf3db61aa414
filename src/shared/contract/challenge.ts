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
    'A solved challenge: base64 (standard or URL alphabet, padded or not) of a JSON object with its algorithm, challenge, number, salt and signature, in any order. Other fields are ignored. At most 4 KiB. Valid for one request.',
});

export type Challenge = Static<typeof ChallengeSchema>;
