import { STATUS_CODES } from '#server/node-http.ts';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { Events } from '#server/observability/events.ts';
import type { ErrorBody } from '#shared/contract/error-body.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { fill } from '#shared/fill.ts';
import { ERROR_SENTENCES, POOL_EMPTY_FOR_GOOD } from '#shared/sentences.ts';

type ErrorSentences = Readonly<Record<ErrorCode, string>>;

type SentenceSettings = { readonly platformName: string; readonly tokenDonations: boolean };

export const errorSentences = ({ platformName, tokenDonations }: SentenceSettings): ErrorSentences => {
  const sentences = {
    ...ERROR_SENTENCES,
    ...(!tokenDonations && { 'pool-empty': POOL_EMPTY_FOR_GOOD }),
  };
  return Object.fromEntries(
    ERROR_CODES.map((code) => [code, fill(sentences[code], { platformName })]),
  ) as ErrorSentences;
};

export type ErrorAnswerDeps = {
  readonly headers: Readonly<Record<string, string>>;
  readonly sentences: ErrorSentences;
  readonly events: Events;
};

const CODE_OF_FRAMEWORK_STATUS: Readonly<Record<number, ErrorCode>> = {
  413: 'body-too-large',
  415: 'unsupported-media-type',
};

export const sendError = (reply: FastifyReply, error: unknown, deps: ErrorAnswerDeps): FastifyReply => {
  const { headers, sentences, events } = deps;
  const { status, body } = toErrorAnswer(error, sentences);
  if (body.code === 'internal') events.requestFailed(error);
  if (body.code === 'storage-failed') events.storageFailed((error as AppError).cause);
  events.requestRefused(body.code);
  if (body.retry_after !== undefined) reply.header('retry-after', body.retry_after);
  return reply.headers(headers).code(status).send(body);
};

export const toErrorAnswer = (error: unknown, sentences: ErrorSentences) => {
  const code = codeOf(error);
  const retryAfterMs = error instanceof AppError ? error.retryAfterMs : undefined;
  const body: ErrorBody = { error: sentences[code], code };
  if (retryAfterMs !== undefined) body.retry_after = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return { status: ERRORS[code].status, body };
};

/** For answers that are written past the framework, which then adds no header. */
export const toRawErrorAnswer = (error: AppError, { headers, sentences }: ErrorAnswerDeps) => {
  const { status, body } = toErrorAnswer(error, sentences);
  const content = Buffer.from(JSON.stringify(body));
  return {
    status,
    content,
    headers: {
      ...headers,
      ...(body.retry_after !== undefined && { 'retry-after': String(body.retry_after) }),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(content.length),
    },
  };
};

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** What Node's parser refuses. */
export const createRefuseRequest = (deps: ErrorAnswerDeps) => {
  const { headers, content } = toRawErrorAnswer(new AppError('bad-request'), deps);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return ({ code = '' }: { readonly code?: string }, socket: Socket): void => {
    if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
    const status = STATUS_OF_CODE[code] ?? 400;
    deps.events.requestAnswered(undefined, status, 0);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${content.toString()}`);
  };
};

export const reportAndRethrow =
  (report: (code: ErrorCode) => void) =>
  (error: unknown): never => {
    report(codeOf(error));
    throw error;
  };

const codeOf = (error: unknown): ErrorCode => {
  if (error instanceof AppError) return error.code;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const refused = status >= 400 && status <= 499;
  return refused ? (CODE_OF_FRAMEWORK_STATUS[status] ?? 'bad-request') : 'internal';
};
