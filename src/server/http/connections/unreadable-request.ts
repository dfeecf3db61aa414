import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '#server/app-error.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from '../error-answer.ts';

/** By the code of Node's parser, or of what we add to it. */
const STATUS_OF = {
  BODY_TOO_LARGE: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  LENGTH_REQUIRED: 411,
} as const;

export type RequestRefusal = keyof typeof STATUS_OF;

/** Requests that never reach the framework are answered on the socket itself, headers and all. */
export const createUnreadableRequestHandler = (deps: ErrorAnswerDeps) => {
  const tailOf = (error: AppError): string => {
    const { headers, content } = toRawErrorAnswer(error, deps);
    const lines = Object.entries({ ...headers, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    return `${lines.join('')}\r\n${content.toString()}`;
  };
  const unreadable = tailOf(new AppError('bad-request'));
  const tooLarge = tailOf(new AppError('body-too-large'));

  return ({ code }: { readonly code?: string }, socket: Socket): void => {
    if (!socket.writable || code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = STATUS_OF[code as RequestRefusal] ?? 400;
    deps.events.requestAnswered(undefined, status, 0);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${status === 413 ? tooLarge : unreadable}`);
  };
};
