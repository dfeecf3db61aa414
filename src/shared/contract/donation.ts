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
      description: 'Shown once; the only other way to take the token back is the token itself.',
    }),
  },
  { title: 'Donation', description: 'The token is kept and used.' },
);

export const WithdrawalBodySchema = Type.Object(
  {
    token: Type.Optional(TokenSchema),
    receipt: Type.Optional(Type.String({ description: 'What the donor got for the token.' })),
    proof: ProofSchema,
  },
  { additionalProperties: false, anyOf: [{ required: ['receipt'] }, { required: ['token'] }] },
);

export const WithdrawalSchema = Type.Object(
  { message: Type.String() },
  { title: 'Withdrawal', description: 'Whatever was there is gone; whether it was is not told.' },
);

export type Donation = Static<typeof DonationSchema>;
