import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '#server/app-error.ts';
import type { Donations } from '#server/donation/donations.ts';
import type { Events } from '#server/observability/events.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import { parseReceipt } from '#server/donation/receipt.ts';
import { ProofSchema } from '#shared/contract/challenge.ts';
import { DonationSchema, WithdrawalSchema } from '#shared/contract/donation.ts';
import { tellCode } from '../error-handler.ts';
import type { ProofGate } from '../proof-gate.ts';
import { jsonFromSameOrigin } from '../request-guards.ts';

export type DonationRouteDeps = {
  readonly donations: Donations;
  readonly passProof: ProofGate;
  readonly events: Events;
};

const THANKS = 'Token verified and saved. Thank you for helping keep the service alive!';
/** Says nothing of whether it was there, so that nobody can find out what is. */
const WITHDRAWN = 'If this token was in the pool, it is gone now.';

const token = Type.Optional(Type.String({ description: 'The token of a bot.' }));
const receipt = Type.Optional(Type.String({ description: 'What the donor got for the token.' }));
const proof = Type.Optional(ProofSchema);
export const DonationBody = Type.Object({ token, proof }, { additionalProperties: false });
export const WithdrawalBody = Type.Object({ token, receipt, proof }, { additionalProperties: false });

type Body = { Body: { token?: string; receipt?: string; proof?: string } };

/** Donors give tokens here and take them back. Not registered at all where the operator takes none. */
export const registerDonationRoutes = (
  server: FastifyInstance,
  { donations, passProof, events }: DonationRouteDeps,
): void => {
  server.post<Body>(
    '/donate-token',
    { schema: { body: DonationBody, response: { 201: DonationSchema } }, onRequest: jsonFromSameOrigin },
    async (request, reply) => {
      const token = readToken(request.body.token ?? '');
      if (!request.body.proof) throw new AppError('donation-proof-missing');
      await passProof(request, 'donation', request.body.proof);
      const receipt = await donations.donate(token).catch(tellCode(events.donationEnded));
      events.donationEnded('accepted');
      return reply.code(201).send({ message: THANKS, receipt });
    },
  );

  server.post<Body>(
    '/withdraw-token',
    { schema: { body: WithdrawalBody, response: { 200: WithdrawalSchema } }, onRequest: jsonFromSameOrigin },
    async (request) => {
      const { token = '', receipt = '', proof } = request.body;
      const given = [receipt, token].filter((text) => text.trim() !== '');
      if (given.length === 0) throw new AppError('withdrawal-missing');
      if (!given.every(canNameToken)) throw new AppError('withdrawal-malformed');
      if (!proof) throw new AppError('proof-missing');
      await passProof(request, 'withdrawal', proof);
      for (const text of given) await donations.withdraw(text).catch(tellCode(events.withdrawalEnded));
      events.withdrawalEnded('accepted');
      return { message: WITHDRAWN };
    },
  );
};

/** A mistyped receipt must not be answered as if the token were gone. */
const canNameToken = (text: string): boolean => parseReceipt(text) !== null || parseBotToken(text).ok;

const CODE_OF_PROBLEM = {
  empty: 'token-missing',
  'user-token': 'token-user',
  'not-a-token': 'token-malformed',
} as const;

const readToken = (text: string): BotToken => {
  const parsed = parseBotToken(text);
  if (!parsed.ok) throw new AppError(CODE_OF_PROBLEM[parsed.problem]);
  return parsed.token;
};
