import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { encodeProof } from '#test/support/solve-challenge.ts';
import { lookupRequest, solvedProofs } from '../suites/load/raw-load.ts';

export type Flood = {
  readonly prepare?: (port: number) => Promise<void>;
  /** Whole requests, or the beginning of one that never ends; a connection repeats one of them. Empty: that was all. */
  readonly requests: readonly (() => string)[];
  /** Sends without waiting for answers, as much as the server takes; else the next request follows the answer. */
  readonly pipelined?: boolean;
  /** Reads no answer. */
  readonly unread?: boolean;
};

const requestOf = (line: string, body = '', headers = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br, gzip\r\n${headers}` +
  (body === '' ? '\r\n' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
const chunked = (line: string, chunk: string): string =>
  requestOf(line, '', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n') +
  `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(Math.ceil(60_000 / (chunk.length + 5)));

let lastId = 175_928_847_299_117_063n;
const preview = (): string => requestOf(`GET /?id=${(lastId += 1n)}`);
const junkProof = encodeProof({
  algorithm: 'SHA-256',
  challenge: 'a'.repeat(64),
  number: 1,
  salt: `${'b'.repeat(24)}?expires=9999999999`,
  signature: 'c'.repeat(64),
});
const junkLookup = requestOf(
  'POST /lookup',
  JSON.stringify({ discord_id: '175928847299117063', proof: junkProof }),
);

const PROOFS = 20_000;
const proofs: string[] = [];
const lookupOf = (id: string): string => {
  const proof = proofs.pop();
  return proof === undefined ? '' : lookupRequest(id, proof);
};
const LINES = ['GET /', 'GET /nothing', 'POST /lookup', 'POST /nothing', 'PUT /', 'DELETE /x', 'OPTIONS /'];

export const FLOODS = {
  pipelines: {
    requests: LINES.flatMap((line) => ['', 'x', '{}', ' '.repeat(4_000)].map((body) => requestOf(line, body)))
      .concat(junkLookup, requestOf('HEAD /'), requestOf('GET /', '', 'Expect: 100-continue\r\n'))
      .map((text) => () => text),
    pipelined: true,
  },
  'odd bodies and heads': {
    requests: [
      chunked('POST /lookup', 'x'),
      chunked('GET /', 'x'.repeat(1_000)),
      requestOf('POST /lookup', '', 'Content-Length: 1000000000\r\n') + 'x'.repeat(60_000),
      requestOf('GET /', '', 'a:b\r\n'.repeat(1_500)),
      requestOf('GET /', '', `a: ${'b'.repeat(7_000)}\r\n`),
      '\0'.repeat(100),
    ].map((text) => () => text),
    pipelined: true,
  },
  'pages that it does not read': {
    requests: [() => requestOf('GET /donate').repeat(2_000), () => requestOf('GET /donate').repeat(8)],
    unread: true,
  },
  previews: { requests: [preview] },
  'pages and errors': { requests: LINES.map((line) => () => requestOf(line)) },
  'junk proofs': { requests: [() => junkLookup] },
  'junk bodies': {
    requests: ['x', '[]', '{"discord_id":1}', '['.repeat(4_000)].flatMap((body) =>
      ['/lookup', '/donate-token', '/withdraw-token'].map((path) => () => requestOf(`POST ${path}`, body)),
    ),
  },
  challenges: { requests: [() => requestOf('GET /challenge')] },
  'good proofs': {
    prepare: async (port) => void proofs.push(...(await solvedProofs(port, PROOFS))),
    requests: [() => lookupOf('175928847299117063'), () => lookupOf(String((lastId += 1n)))],
  },
} satisfies Record<string, Flood>;

export type FloodName = keyof typeof FLOODS;

/**
 * From a process of its own, so that those who watch the server are not busy with it. Over a hundred connections:
 * good proofs each from a network of its own, all else from one.
 */
export const startFlood = async (name: FloodName, port: number): Promise<AsyncDisposable> => {
  const child = fork(fileURLToPath(import.meta.resolve('./flood-main.ts')), [name, String(port)]);
  const ended = once(child, 'exit');
  await once(child, 'message');
  return {
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};
