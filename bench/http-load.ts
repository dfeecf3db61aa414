import { connect } from 'node:net';

export type Load = {
  readonly port: number;
  /** Whole requests, each sent once. */
  readonly requests: Iterable<string>;
  /** What all must be answered with; 200 unless said. */
  readonly statuses?: readonly number[];
  readonly connections?: number;
  /** Gets the body of each answer; without it bodies are only counted past. */
  readonly onBody?: (body: string) => void;
};

export const CONNECTIONS = 32;
const HEAD_END = '\r\n\r\n';

export const getRequest = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\n\r\n`;

export const postRequest = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

type Received = { readonly body: string; readonly rest: string };

/** The first answer in `text`, or undefined while it is not all there. */
const takeAnswer = (text: string, statuses: readonly number[]): Received | undefined => {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = text.slice(0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const status = Number(head.slice('HTTP/1.1 '.length).slice(0, 3));
  if (!statuses.includes(status) || length === undefined) throw new Error(`Answered with: ${text}`);
  const bodyStart = headEnd + HEAD_END.length;
  const bodyEnd = bodyStart + Number(length);
  return text.length < bodyEnd
    ? undefined
    : { body: text.slice(bodyStart, bodyEnd), rest: text.slice(bodyEnd) };
};

/** One kept-alive connection that sends the next request when the last one is answered. */
const runConnection = (load: Load, requests: Iterator<string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(load.port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    let answered = 0;
    let pending = '';
    const sendNext = (): void => {
      const { done, value } = requests.next();
      if (done === true) socket.end();
      else socket.write(value);
    };
    socket.once('connect', sendNext).once('error', reject);
    socket.once('close', () => resolve(answered));
    socket.on('data', (chunk) => {
      try {
        pending += String(chunk);
        const received = takeAnswer(pending, load.statuses ?? [200]);
        if (received === undefined) return;
        pending = received.rest;
        answered += 1;
        load.onBody?.(received.body);
        sendNext();
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
  });

/** Saturates the server without pipelining; resolves to the number of answers. */
export const runLoad = async (load: Load): Promise<number> => {
  const requests = Iterator.from(load.requests);
  const { connections: length = CONNECTIONS } = load;
  const connections = Array.from({ length }, () => runConnection(load, requests));
  const answered = await Promise.all(connections);
  return answered.reduce((sum, count) => sum + count, 0);
};
