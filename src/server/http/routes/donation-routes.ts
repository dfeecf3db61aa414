import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { Donations } from '#server/donation/donations.ts';
import { parseReceipt } from '#server/donation/receipt.ts';
import type { Events } from '#server/observability/events.ts';
import { parseBotToken } from '#server/platform/bot-token.ts';
import {
  DonationBodySchema,
  DonationSchema,
  WithdrawalBodySchema,
  WithdrawalSchema,
} from '#shared/contract/donation.ts';
import { errorCodesAbout, TOKEN_ERRORS } from '#shared/contract/errors.ts';
import { TOKEN_SAVED, TOKEN_WITHDRAWN } from '#shared/sentences.ts';
import { apiRoute, POST_ERRORS, type ApiOperation } from '../api-route.ts';
import { reportAndRethrow } from '../error-answer.ts';
import type { VisitorDeps } from './lookup-routes.ts';

type DonationRouteDeps = VisitorDeps & {
  readonly donations: Donations;
  readonly events: Events;
};

const DONATION: ApiOperation = {
  id: 'donateToken',
  summary: 'Donate the token of a bot that is in no servers',
  body: DonationBodySchema,
  answers: { 201: DonationSchema },
  errors: [...POST_ERRORS, ...errorCodesAbout('donation', 'donations', 'storage', 'token')],
};

/** Its answer is the same whether or not we had the token, so that nobody can find out. */
const WITHDRAWAL: ApiOperation = {
  id: 'withdrawToken',
  summary: 'Withdraw a token, by its receipt or the token itself',
  body: WithdrawalBodySchema,
  answers: { 200: WithdrawalSchema },
  errors: [...POST_ERRORS, ...errorCodesAbout('storage', 'withdrawal'), 'proof-missing'],
};

type Body = { Body: { token?: string; receipt?: string; proof?: string } };

export const registerDonationRoute = (
  server: FastifyInstance,
  { admission, addressOf, donations, events }: DonationRouteDeps,
): void => {
  server.route<Body>({
    ...apiRoute('/donate-token', DONATION),
    handler: async (request, reply) => {
      const parsed = parseBotToken(request.body.token ?? '');
      if (!parsed.ok) throw new AppError(TOKEN_ERRORS[parsed.problem]);
      if (!request.body.proof) throw new AppError('donation-proof-missing');
      const address = addressOf(request);
      await admission.redeem(request.body.proof, 'donation-attempt', address);
      const receipt = await donations
        .donate(parsed.token, () => admission.count('donation', address))
        .catch(reportAndRethrow(events.donationEnded));
      events.donationEnded('accepted');
      return reply.code(201).send({ message: TOKEN_SAVED, receipt });
    },
  });
};

/** Also where the operator takes no more tokens: those that are stored are still their donors'. */
export const registerWithdrawalRoute = (
  server: FastifyInstance,
  { admission, addressOf, donations, events }: DonationRouteDeps,
): void => {
  server.route<Body>({
    ...apiRoute('/withdraw-token', WITHDRAWAL),
    handler: async (request) => {
      const { token = '', receipt = '', proof } = request.body;
      const given = [receipt, token].filter((text) => text.trim() !== '');
      if (given.length === 0) throw new AppError('withdrawal-missing');
      if (!given.every(canNameToken)) throw new AppError('withdrawal-malformed');
      if (!proof) throw new AppError('proof-missing');
      await admission.redeem(proof, 'withdrawal', addressOf(request));
      for (const text of given)
        await donations.withdraw(text).catch(reportAndRethrow(events.withdrawalEnded));
      events.withdrawalEnded('accepted');
      return { message: TOKEN_WITHDRAWN };
    },
  });
};

/** A mistyped receipt must not be answered as if the token were gone. */
const canNameToken = (text: string): boolean => parseReceipt(text) !== null || parseBotToken(text).ok;
