import type { BotTokenProblem } from '../bot-token-shape.ts';

export type Reaction = 'solve-again' | 'fix-input' | 'try-later' | 'explain';

export const ERRORS = {
  'bad-request': { status: 400, reaction: 'explain' },
  'body-too-large': { status: 413, reaction: 'fix-input' },
  'captcha-unavailable': { status: 503, reaction: 'try-later' },
  'cross-site': { status: 403, reaction: 'explain' },
  'donation-proof-missing': { status: 400, reaction: 'solve-again' },
  'donations-paused': { status: 503, reaction: 'try-later' },
  'id-future': { status: 400, reaction: 'fix-input' },
  'id-malformed': { status: 400, reaction: 'fix-input' },
  'id-missing': { status: 400, reaction: 'fix-input' },
  'id-too-large': { status: 400, reaction: 'fix-input' },
  'id-zero': { status: 400, reaction: 'fix-input' },
  internal: { status: 500, reaction: 'try-later' },
  'method-not-allowed': { status: 405, reaction: 'explain' },
  'not-found': { status: 404, reaction: 'explain' },
  overloaded: { status: 503, reaction: 'try-later' },
  'picture-expired': { status: 410, reaction: 'explain' },
  'picture-failed': { status: 502, reaction: 'try-later' },
  'picture-refused': { status: 403, reaction: 'explain' },
  'picture-timeout': { status: 504, reaction: 'try-later' },
  'pictures-busy': { status: 503, reaction: 'try-later' },
  'platform-failed': { status: 502, reaction: 'try-later' },
  'platform-paused': { status: 503, reaction: 'try-later' },
  'platform-timeout': { status: 504, reaction: 'try-later' },
  'pool-busy': { status: 503, reaction: 'try-later' },
  'pool-empty': { status: 503, reaction: 'try-later' },
  'proof-expired': { status: 403, reaction: 'solve-again' },
  // A server that restarted while the visitor solved does not know its own challenge any more.
  'proof-invalid': { status: 403, reaction: 'solve-again' },
  'proof-missing': { status: 400, reaction: 'solve-again' },
  'proof-used': { status: 403, reaction: 'solve-again' },
  'storage-failed': { status: 503, reaction: 'try-later' },
  'store-unavailable': { status: 503, reaction: 'try-later' },
  'token-in-servers': { status: 409, reaction: 'explain' },
  'token-known': { status: 409, reaction: 'explain' },
  'token-malformed': { status: 422, reaction: 'explain' },
  'token-missing': { status: 400, reaction: 'explain' },
  'token-rejected': { status: 422, reaction: 'explain' },
  'token-user': { status: 422, reaction: 'explain' },
  'unsupported-media-type': { status: 415, reaction: 'explain' },
  'visitor-limit': { status: 429, reaction: 'try-later' },
  'withdrawal-malformed': { status: 422, reaction: 'explain' },
  'withdrawal-missing': { status: 400, reaction: 'explain' },
} as const satisfies Record<string, { readonly status: number; readonly reaction: Reaction }>;

export const TOKEN_ERRORS = {
  empty: 'token-missing',
  'user-token': 'token-user',
  'not-a-token': 'token-malformed',
} as const satisfies Record<BotTokenProblem, ErrorCode>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

export const errorCodesAbout = (...topics: readonly string[]): ErrorCode[] =>
  ERROR_CODES.filter((code) => topics.includes(code.split('-', 1)[0] ?? ''));
