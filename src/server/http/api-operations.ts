import type { TSchema } from 'typebox';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { DonationBody, WithdrawalBody } from './routes/donation-routes.ts';
import { lookupBody } from './routes/lookup-route.ts';

/** A route that programs may use, for the document that tells them how. */
export type ApiOperation = {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: object;
  /** By status; the schema by its name in the document, or plain text. */
  readonly answers: Readonly<
    Record<number, { readonly description: string; readonly schema: string | null }>
  >;
  readonly errors: readonly ErrorCode[];
};

export type ApiSettings = {
  readonly platformName: string;
  readonly idField: string;
  readonly tokenDonations: boolean;
};

const EVERYWHERE = ['bad-request', 'internal', 'overloaded'] as const satisfies ErrorCode[];
const OF_POSTS = ['body-too-large', 'cross-site', 'unsupported-media-type'] as const satisfies ErrorCode[];
const OF_PROOFS = [
  'captcha-unavailable',
  'proof-expired',
  'proof-invalid',
  'proof-used',
  'visitor-limit',
] as const satisfies ErrorCode[];

export const apiOperations = (settings: ApiSettings): readonly ApiOperation[] => [
  challenge,
  lookup(settings),
  ...(settings.tokenDonations ? [donation, withdrawal] : []),
  status,
  health,
];

/** The handler requires what the route's schema leaves open, so that its refusal has a sentence of its own. */
const requiring = (body: TSchema, fields: readonly string[]): object => ({ ...body, required: fields });

const challenge: ApiOperation = {
  method: 'get',
  path: '/challenge',
  id: 'getChallenge',
  summary: 'A puzzle to solve before a request that acts',
  description:
    'Find the number from 0 to maxnumber for which the SHA-256 of the salt followed by the number, in hex, is the challenge. The salt tells when it expires.',
  answers: { 200: { description: 'The challenge.', schema: 'Challenge' } },
  errors: [...EVERYWHERE, 'visitor-limit'],
};

const lookup = ({ platformName, idField }: ApiSettings): ApiOperation => ({
  method: 'post',
  path: '/lookup',
  id: 'lookUp',
  summary: `The public ${platformName} profile behind a user ID`,
  body: requiring(lookupBody(idField), [idField, 'proof']),
  answers: {
    200: { description: 'The profile.', schema: 'Profile' },
    404: {
      description: 'Nobody has this ID; when it was made can be told all the same.',
      schema: 'NotFound',
    },
  },
  errors: [
    ...EVERYWHERE,
    ...OF_POSTS,
    ...OF_PROOFS,
    'proof-missing',
    'id-future',
    'id-malformed',
    'id-missing',
    'id-too-large',
    'id-zero',
    'platform-failed',
    'platform-paused',
    'platform-timeout',
    'pool-busy',
    'pool-empty',
  ],
});

const donation: ApiOperation = {
  method: 'post',
  path: '/donate-token',
  id: 'donateToken',
  summary: 'Lend the token of a bot that is in no server',
  body: requiring(DonationBody, ['token', 'proof']),
  answers: { 201: { description: 'The token is kept and used.', schema: 'Donation' } },
  errors: [
    ...EVERYWHERE,
    ...OF_POSTS,
    ...OF_PROOFS,
    'donation-proof-missing',
    'donations-paused',
    'storage-failed',
    'token-in-servers',
    'token-known',
    'token-malformed',
    'token-missing',
    'token-rejected',
    'token-user',
  ],
};

const withdrawal: ApiOperation = {
  method: 'post',
  path: '/withdraw-token',
  id: 'withdrawToken',
  summary: 'Take a token back, by its receipt or by itself',
  body: {
    ...requiring(WithdrawalBody, ['proof']),
    anyOf: [{ required: ['receipt'] }, { required: ['token'] }],
  },
  answers: {
    200: { description: 'Whatever was there is gone; whether it was is not told.', schema: 'Withdrawal' },
  },
  errors: [
    ...EVERYWHERE,
    ...OF_POSTS,
    ...OF_PROOFS,
    'proof-missing',
    'storage-failed',
    'withdrawal-malformed',
    'withdrawal-missing',
  ],
};

const status: ApiOperation = {
  method: 'get',
  path: '/status.json',
  id: 'getStatus',
  summary: 'How the token pool is doing, in counts',
  answers: { 200: { description: 'The counts.', schema: 'Status' } },
  errors: EVERYWHERE,
};

const health: ApiOperation = {
  method: 'get',
  path: '/healthz',
  id: 'getHealth',
  summary: 'Whether the server answers',
  answers: { 200: { description: 'The word "ok".', schema: null } },
  errors: ['bad-request', 'internal'],
};
