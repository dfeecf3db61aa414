import type { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { edgeAnswer, jsonAnswer, type Answer } from '../answer.ts';

export type BanForm = 'json' | 'html' | 'text';

const GENERAL = 0 satisfies RESTJSONErrorCodes.GeneralError;
const UNKNOWN_USER = 10_013 satisfies RESTJSONErrorCodes.UnknownUser;
const UNKNOWN_INVITE = 10_006 satisfies RESTJSONErrorCodes.UnknownInvite;
const INVALID_BODY = 50_035 satisfies RESTJSONErrorCodes.InvalidFormBodyOrContentType;
const BLOCKED = 40_333 satisfies RESTJSONErrorCodes.CloudflareIsBlockingYourRequest;

const simpleError = (status: number, message: string, code: number): Answer =>
  jsonAnswer(status, `{"message": "${message}", "code": ${code}}`);

export const unauthorized = simpleError(401, '401: Unauthorized', GENERAL);
export const notFound = simpleError(404, '404: Not Found', GENERAL);
export const methodNotAllowed: Answer = simpleError(405, '405: Method Not Allowed', GENERAL);
export const unknownUser = simpleError(404, 'Unknown User', UNKNOWN_USER);
export const unknownInvite = simpleError(404, 'Unknown Invite', UNKNOWN_INVITE);

const invalidFormBody = (code: string, message: string): Answer => {
  const errors = { user_id: { _errors: [{ code, message }] } };
  return jsonAnswer(400, JSON.stringify({ message: 'Invalid Form Body', code: INVALID_BODY, errors }));
};

export const notASnowflake = (value: string): Answer =>
  invalidFormBody('NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`);

export const snowflakeTooLarge = invalidFormBody(
  'NUMBER_TYPE_MAX',
  'snowflake value should be less than or equal to 9223372036854775807.',
);

/** What a User-Agent that is not a bot's gets: the block speaks JSON but is made at the edge. */
export const blockedUserAgent = edgeAnswer(
  403,
  'application/json',
  `{"message": "internal network error", "code": ${BLOCKED}}`,
);

export const rateLimited = (
  scope: 'user' | 'global' | 'shared',
  retryAfterMs: number,
  headers: Readonly<Record<string, string>> = {},
): Answer => {
  // Rounded up to the millisecond, so that a client which waits exactly that long is let through.
  const retryAfter = Math.ceil(retryAfterMs) / 1000;
  const body = JSON.stringify({
    message: `${scope === 'shared' ? 'The resource is' : 'You are'} being rate limited.`,
    retry_after: retryAfter,
    global: scope === 'global',
    code: GENERAL,
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

const htmlAnswer = (status: number, title: string): Answer =>
  edgeAnswer(
    status,
    'text/html; charset=UTF-8',
    `<!DOCTYPE html>\n<html lang="en-US"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  );

export const bans: Readonly<Record<BanForm, Answer>> = {
  json: edgeAnswer(429, 'application/json', `{"code": ${GENERAL}, "message": "${BAN_MESSAGE}"}`),
  html: htmlAnswer(429, 'Access denied | discord.com used Cloudflare to restrict access (Error 1015)'),
  text: edgeAnswer(429, 'text/plain; charset=UTF-8', 'error code: 1015'),
};

export const gatewayFailures = {
  500: htmlAnswer(500, '500 Internal Server Error'),
  502: htmlAnswer(502, '502 Bad Gateway'),
  503: htmlAnswer(503, '503 Service Temporarily Unavailable'),
  504: htmlAnswer(504, '504 Gateway Time-out'),
};

export const htmlInsteadOfJson = htmlAnswer(200, 'Just a moment...');
