import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Challenge } from '#shared/contract/challenge.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';

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

/** Rejects if the connection ends before the answer is whole. */
const exchange = (socket: Socket, request: string): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    if (socket.destroyed) throw new Error('The connection has ended.');
    const sentMs = performance.now();
    let received = '';
    const receive = (text: Buffer | string): void => {
      received += String(text);
      const answer = readAnswer(received);
      if (answer === undefined) return;
      socket.off('data', receive).off('close', reject);
      resolve({ ...answer, tookMs: performance.now() - sentMs });
    };
    socket.on('data', receive).once('close', reject);
    socket.write(request);
  });

/** Keeps that many connections busy without pipelining, at little cost to the machine. All connect before the first sends. */
export const runRawLoad = async (load: RawLoad) => {
  const { port, connections = CONNECTIONS, onAnswer = expectSuccess } = load;
  const requests = Iterator.from(load.requests);
  // What a reset breaks is seen where the answer is missing.
  const sockets = Array.from({ length: connections }, () =>
    connect(port, '127.0.0.1')
      .setNoDelay(true)
      .setEncoding('latin1')
      .on('error', () => {}),
  );
  let answered = 0;
  const drive = async (socket: Socket): Promise<void> => {
    for (const request of requests)
      for (let againMs: number | undefined = 0; againMs !== undefined;) {
        if (againMs > 0) await delay(againMs);
        againMs = onAnswer(await exchange(socket, request));
        answered += 1;
      }
    socket.end();
  };
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const startMs = performance.now();
    await Promise.all(sockets.map(drive));
    return { answered, seconds: (performance.now() - startMs) / 1_000 };
  } finally {
    for (const socket of sockets) socket.destroy();
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
