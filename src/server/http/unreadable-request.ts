import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '#server/app-error.ts';
import { toErrorAnswer } from './error-answer.ts';
import type { ErrorSentences } from './error-sentences.ts';

type UnreadableRequestDeps = {
  readonly headers: Readonly<Record<string, string>>;
  readonly sentences: ErrorSentences;
  readonly onAnswer: (status: number) => void;
};

/** The parser names its refusals by code; each has a status of its own. */
const STATUS_OF_PARSER_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Bytes that are not HTTP never reach the framework, so their answer is written by hand, headers and all. */
export const createUnreadableRequestHandler = ({ headers, sentences, onAnswer }: UnreadableRequestDeps) => {
  const { body } = toErrorAnswer(new AppError('bad-request'), sentences);
  const content = JSON.stringify(body);
  const fixedHeaders = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(content)),
    connection: 'close',
  });
  const tail = `${fixedHeaders.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${content}`;

  return (error: Error & { code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = STATUS_OF_PARSER_CODE[error.code ?? ''] ?? 400;
    onAnswer(status);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${tail}`);
  };
};
