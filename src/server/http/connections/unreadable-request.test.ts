import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createEvents } from '#server/observability/events.ts';
import { errorSentences } from '../error-answer.ts';
import { createRefuseRequest } from './limits.ts';

const counted: number[] = [];
const events = createEvents({ logger: pino({ enabled: false }) });
const handle = createRefuseRequest({
  headers: { 'x-content-type-options': 'nosniff' },
  sentences: errorSentences({ platformName: 'Discord', tokenDonations: true }),
  events: { ...events, requestAnswered: (_route, status) => void counted.push(status) },
});

const answerTo = (code: string | undefined, socket = new PassThrough()): string => {
  handle(
    Object.assign(new Error('secret detail'), code === undefined ? {} : { code }),
    socket as never as Socket,
  );
  return String(socket.read() ?? '');
};

it.each([
  ['HPE_INVALID_METHOD', '400 Bad Request'],
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['LENGTH_REQUIRED', '411 Length Required'],
  [undefined, '400 Bad Request'],
])('answers %s with %s and closes', (code, status) => {
  const [head = '', body = ''] = answerTo(code).split('\r\n\r\n');
  const [statusLine, ...lines] = head.split('\r\n');
  expect(statusLine).toBe(`HTTP/1.1 ${status}`);
  expect(lines).toEqual([
    'x-content-type-options: nosniff',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]);
  expect(counted.at(-1)).toBe(Number.parseInt(status, 10));
  expect(JSON.parse(body)).toEqual({ error: 'We couldn’t understand that request.', code: 'bad-request' });
});

it('says that a body is too large as the framework would', () => {
  expect(answerTo('BODY_TOO_LARGE')).toMatch(/^HTTP\/1\.1 413 .+"code":"body-too-large"}$/s);
});

it('does not answer a client that is gone', () => {
  counted.length = 0;
  const ended = new PassThrough();
  ended.end();
  expect(answerTo('HPE_INVALID_METHOD', ended)).toBe('');
  const reset = new PassThrough();
  expect([answerTo('ECONNRESET', reset), reset.destroyed]).toEqual(['', true]);
  expect(counted).toEqual([]);
});
