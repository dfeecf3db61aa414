import { Type, type Static } from 'typebox';
import { ProofSchema } from './challenge.ts';

const TokenSchema = Type.String({ description: 'The token of a bot.' });

export const DonationBodySchema = Type.Object(
  { token: TokenSchema, proof: ProofSchema },
  { additionalProperties: false },
);

export const DonationSchema = Type.Object(
  {
    message: Type.String(),
    receipt: Type.String({
      description: 'Shown only once. Withdraws the token; the token itself works too.',
    }),
  },
  { title: 'Donation', description: 'The token was accepted.' },
);

export const WithdrawalBodySchema = Type.Object(
  {
    token: Type.Optional(TokenSchema),
    receipt: Type.Optional(Type.String({ description: 'The receipt given for the token.' })),
    proof: ProofSchema,
  },
  { additionalProperties: false, anyOf: [{ required: ['receipt'] }, { required: ['token'] }] },
);

export const WithdrawalSchema = Type.Object(
  { message: Type.String() },
  {
    title: 'Withdrawal',
    description: 'The token is deleted if we had it. The answer is the same if we never did.',
  },
);

export type Donation = Static<typeof DonationSchema>;
