import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '#server/app-error.ts';
import { toRawErrorAnswer, type ErrorAnswerDeps } from '../error-answer.ts';

/** By the parser's error code. */
const STATUS_OF_PARSER_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Bytes that are not HTTP never reach the framework, so the answer is written to the socket, headers and all. */
export const createUnreadableRequestHandler = (deps: ErrorAnswerDeps) => {
  const { headers, content } = toRawErrorAnswer(new AppError('bad-request'), deps);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const tail = `${lines.join('')}\r\n${content.toString()}`;

  return (error: Error & { code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = STATUS_OF_PARSER_CODE[error.code ?? ''] ?? 400;
    deps.events.requestAnswered(undefined, status, 0);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${tail}`);
  };
};
