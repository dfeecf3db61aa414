import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Challenge } from '#shared/contract/challenge.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { sum } from './figures.ts';

export type RawAnswer = { readonly status: number; readonly body: string; readonly tookMs: number };

export type RawLoad = {
  readonly port: number;
  readonly connections?: number;
  /** Whole requests, each sent once. */
  readonly requests: Iterable<string>;
  /** Sees each answer; returns after how many milliseconds to send the same request again, if at all. */
  readonly onAnswer?: (answer: RawAnswer) => number | undefined;
};

export const CONNECTIONS = 32;
/** As a server that is overloaded asks for. */
const RETRY_AFTER_MS = 2_000;
const HEAD_END = '\r\n\r\n';

export const getRequest = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\n\r\n`;

export const lookupRequest = (discord_id: string, proof: string): string => {
  const body = JSON.stringify({ discord_id, proof });
  return (
    'POST /lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
};

/** Undefined while it is not all there. */
const readAnswer = (text: string): Omit<RawAnswer, 'tookMs'> | undefined => {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = text.slice(0, headEnd);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
  const bodyStart = headEnd + HEAD_END.length;
  if (text.length < bodyStart + length) return undefined;
  return {
    status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
    body: text.slice(bodyStart),
  };
};

const expectSuccess = ({ status, body }: RawAnswer): undefined => {
  if (status !== 200) throw new Error(`Answered with ${status}: ${body}`);
};

/**
 * Sends the next request when the last one is answered. Resolves to the number of answers, once it is closed. It
 * listens from the start: a connection may be reset while the others are still being made.
 */
const drive = (
  socket: Socket,
  begin: Promise<unknown>,
  requests: Iterator<string>,
  onAnswer: NonNullable<RawLoad['onAnswer']>,
): Promise<number> =>
  new Promise((resolve, reject) => {
    let [request, received, sentMs, answered] = ['', '', 0, 0];
    const send = (): void => {
      sentMs = performance.now();
      if (!socket.destroyed) socket.write(request);
    };
    const sendNext = (): void => {
      const { done, value } = requests.next();
      if (done === true) return void socket.end();
      request = value;
      send();
    };
    const receive = (text: string): void => {
      received += text;
      const answer = readAnswer(received);
      if (answer === undefined) return;
      received = '';
      answered += 1;
      const againMs = onAnswer({ ...answer, tookMs: performance.now() - sentMs });
      if (againMs === undefined) sendNext();
      else setTimeout(send, againMs);
    };
    socket.once('error', reject).once('close', () => resolve(answered));
    socket.on('data', (chunk) => {
      try {
        receive(String(chunk));
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    begin.then(sendNext).catch(reject);
  });

/** Keeps that many connections busy without pipelining, at little cost to the machine. All connect before the first sends. */
export const runRawLoad = async (load: RawLoad) => {
  const { port, connections = CONNECTIONS, onAnswer = expectSuccess } = load;
  const requests = Iterator.from(load.requests);
  const sockets = Array.from({ length: connections }, () =>
    connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1'),
  );
  const closeAll = (): void => sockets.forEach((socket) => socket.destroy());
  let startMs = 0;
  const connected = Promise.all(sockets.map((socket) => once(socket, 'connect'))).then(
    () => (startMs = performance.now()),
  );
  try {
    const answers = await Promise.all(sockets.map((socket) => drive(socket, connected, requests, onAnswer)));
    return { answered: sum(answers), seconds: (performance.now() - startMs) / 1_000 };
  } finally {
    closeAll();
  }
};

/** Distinct proofs for challenges of the server itself, spelled as the widget spells them. */
export const solvedProofs = async (port: number, count: number): Promise<string[]> => {
  const challenges: string[] = [];
  const requests = Array.from({ length: count }, () => getRequest('/challenge'));
  const onAnswer = (answer: RawAnswer): number | undefined => {
    if (answer.status === 503) return RETRY_AFTER_MS;
    expectSuccess(answer);
    challenges.push(answer.body);
    return undefined;
  };
  await runRawLoad({ port, requests, onAnswer });
  return challenges.map((body) => encodeProof(solveChallenge(JSON.parse(body) as Challenge)));
};
