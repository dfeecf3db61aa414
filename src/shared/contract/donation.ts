import { Type, type Static } from 'typebox';

export const DonationSchema = Type.Object({
  message: Type.String(),
  receipt: Type.String({
    description: 'Shown once; the only other way to take the token back is the token itself.',
  }),
});

export const WithdrawalSchema = Type.Object({ message: Type.String() });

export type Donation = Static<typeof DonationSchema>;
