import { edgeAnswer, jsonAnswer, type Answer } from '../answer.ts';

export type BanForm = 'json' | 'html' | 'text';
export type LimitScope = 'user' | 'global' | 'shared';

const simpleError = (status: number, message: string, code: number): Answer =>
  jsonAnswer(status, `{"message": "${message}", "code": ${code}}`);

export const unauthorized = simpleError(401, '401: Unauthorized', 0);
export const notFound = simpleError(404, '404: Not Found', 0);
export const methodNotAllowed: Answer = simpleError(405, '405: Method Not Allowed', 0);
export const unknownUser = simpleError(404, 'Unknown User', 10013);
export const unknownInvite = simpleError(404, 'Unknown Invite', 10006);
export const invalidApiVersion = simpleError(400, 'Invalid API version', 50041);

const invalidFormBody = (error: { code: string; message: string }): Answer =>
  jsonAnswer(
    400,
    JSON.stringify({
      message: 'Invalid Form Body',
      code: 50035,
      errors: { user_id: { _errors: [error] } },
    }),
  );

export const notASnowflake = (value: string): Answer =>
  invalidFormBody({ code: 'NUMBER_TYPE_COERCE', message: `Value "${value}" is not snowflake.` });

export const snowflakeTooLarge = invalidFormBody({
  code: 'NUMBER_TYPE_MAX',
  message: 'snowflake value should be less than or equal to 9223372036854775807.',
});

/** What a User-Agent that is not a bot's gets: the block speaks JSON but is made at the edge. */
export const blockedUserAgent = edgeAnswer(
  403,
  'application/json',
  '{"message": "internal network error", "code": 40333}',
);

const SHARED_LIMIT_MESSAGE = 'The resource is being rate limited.';
const OWN_LIMIT_MESSAGE = 'You are being rate limited.';

export const rateLimited = (
  scope: LimitScope,
  retryAfterMs: number,
  headers: Readonly<Record<string, string>> = {},
): Answer => {
  // Rounded up to the millisecond, so that a client which waits exactly that long is let through.
  const retryAfter = Math.ceil(retryAfterMs) / 1000;
  const body = JSON.stringify({
    message: scope === 'shared' ? SHARED_LIMIT_MESSAGE : OWN_LIMIT_MESSAGE,
    retry_after: retryAfter,
    global: scope === 'global',
    code: 0,
  });
  return jsonAnswer(429, body, {
    ...headers,
    'retry-after': String(Math.ceil(retryAfter)),
    'x-ratelimit-scope': scope,
    ...(scope === 'global' ? { 'x-ratelimit-global': 'true' } : {}),
  });
};

const BAN_MESSAGE =
  'You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently. Please read our docs at https://discord.com/developers/docs/topics/rate-limits to prevent this moving forward.';

const htmlPage = (title: string): string =>
  `<!DOCTYPE html>\n<html lang="en-US"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;

const BANS: Readonly<Record<BanForm, Answer>> = {
  json: edgeAnswer(429, 'application/json', `{"code": 0, "message": "${BAN_MESSAGE}"}`),
  html: edgeAnswer(
    429,
    'text/html; charset=UTF-8',
    htmlPage('Access denied | discord.com used Cloudflare to restrict access (Error 1015)'),
  ),
  text: edgeAnswer(429, 'text/plain; charset=UTF-8', 'error code: 1015'),
};

export const banned = (form: BanForm): Answer => BANS[form];

const GATEWAY_TITLES = new Map([
  [500, '500 Internal Server Error'],
  [502, '502 Bad Gateway'],
  [503, '503 Service Temporarily Unavailable'],
  [504, '504 Gateway Time-out'],
]);

export const gatewayFailure = (status: number): Answer =>
  edgeAnswer(status, 'text/html; charset=UTF-8', htmlPage(GATEWAY_TITLES.get(status) ?? `${status} Error`));

export const htmlInsteadOfJson = edgeAnswer(200, 'text/html; charset=UTF-8', htmlPage('Just a moment...'));
