/** Every failure the server can name. Adding one fails type-checking in the server's status table and in the web's texts until both handle it. */
export type ErrorCode = DonationErrorCode | CommonErrorCode;

/** Only the routes that take tokens and give them back say these. */
export type DonationErrorCode =
  | 'donation-proof-missing'
  | 'donations-paused'
  | 'storage-failed'
  | 'token-in-servers'
  | 'token-known'
  | 'token-malformed'
  | 'token-missing'
  | 'token-rejected'
  | 'token-user'
  | 'withdrawal-malformed'
  | 'withdrawal-missing';

export type CommonErrorCode =
  | 'bad-request'
  | 'body-too-large'
  | 'captcha-unavailable'
  | 'cross-site'
  | 'id-future'
  | 'id-malformed'
  | 'id-missing'
  | 'id-too-large'
  | 'id-zero'
  | 'internal'
  | 'method-not-allowed'
  | 'not-found'
  | 'overloaded'
  | 'platform-failed'
  | 'platform-paused'
  | 'platform-timeout'
  | 'pool-busy'
  | 'pool-empty'
  | 'proof-expired'
  | 'proof-invalid'
  | 'proof-missing'
  | 'proof-used'
  | 'unsupported-media-type'
  | 'visitor-limit';

export type ErrorBody = {
  error: string;
  code: ErrorCode;
  /** Whole seconds until another try makes sense. */
  retry_after?: number;
};
