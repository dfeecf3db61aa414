import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { App } from '#server/app.ts';

export type RawAnswer = {
  readonly status: number;
  /** Names in lower case, as they came, so that a header sent twice shows. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
};

const SILENCE_MS = 20_000;
const HEAD_END = '\r\n\r\n';

export const openPort = async ({ server }: App): Promise<number> => {
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as AddressInfo).port;
};

export const headerOf = ({ headers }: RawAnswer, name: string): string | undefined =>
  headers.find(([key]) => key === name)?.[1];

/** What an ordinary client is answered; rejects if that is nothing. */
export const httpExchange = async (
  outgoing: ClientRequest,
  body: string | Buffer = '',
): Promise<RawAnswer> => {
  // A refusal may come while we still send; then only the answer counts.
  const answered = once(
    outgoing.on('error', () => {}),
    'response',
  ) as Promise<[IncomingMessage]>;
  outgoing.end(body);
  const [response] = await answered;
  const { statusCode = 0, rawHeaders } = response;
  const names = rawHeaders.filter((_, n) => n % 2 === 0);
  return {
    status: statusCode,
    headers: names.map((name, n) => [name.toLowerCase(), rawHeaders[2 * n + 1] ?? '']),
    body: (await buffer(response)).toString('latin1'),
  };
};

/** The first answer in the text, once it is whole; what follows it answers bytes that followed the first request. */
const parseAnswer = (text: string, bodiless: boolean): RawAnswer | null => {
  const end = text.indexOf(HEAD_END);
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  if (end === -1 || Number.isNaN(status)) return null;
  const rest = text.slice(end + HEAD_END.length);
  if (status === 100) return parseAnswer(rest, bodiless);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const announced = headers.find(([name]) => name === 'content-length')?.[1];
  const length = bodiless || status === 304 ? 0 : Number(announced ?? 0);
  return rest.length >= length ? { status, headers, body: rest.slice(0, length) } : null;
};

/**
 * Sends these bytes and nothing else. Null if the server closes, or keeps silent, without an answer. `endAfterMs` is
 * when to end our side, so that the server need not wait for a request that never becomes whole.
 */
export const rawExchange = (
  port: number,
  bytes: string | Uint8Array,
  endAfterMs?: number,
): Promise<RawAnswer | null> => {
  const bodiless = Buffer.from(bytes).toString('latin1', 0, 5) === 'HEAD ';
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const ending = endAfterMs === undefined ? undefined : setTimeout(() => socket.end(), endAfterMs);
    const finish = (): void => {
      clearTimeout(ending);
      socket.destroy();
      resolve(parseAnswer(received, bodiless));
    };
    socket.setTimeout(SILENCE_MS, finish);
    // A refusal may come while we still send; what was received before the reset counts.
    socket.on('error', finish).on('close', finish);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (parseAnswer(received, bodiless) !== null) finish();
    });
  });
};
