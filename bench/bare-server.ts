import { createHmac, createSecretKey, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import type { WidgetProof } from '#test/support/solve-challenge.ts';

/** What the product answered: header names and values in turn, and the body in base64. */
export type RecordedAnswer = { readonly headers: readonly string[]; readonly body: string };

/**
 * The floor: the product's hot paths on node:http with the same cryptography and nothing else: the challenge's, and the
 * two keyed digests of the visitor's address. It sends all that the product sends, but has no limits, no schemas and
 * hardly any checks. Not a server that anybody should run.
 */
const { values } = parseArgs({ options: { port: { type: 'string' }, answers: { type: 'string' } } });
/** Easier than the product allows: solving these is no part of what is measured. */
const MAX_NUMBER = 10;
const TTL_SECONDS = 300;

const key = createSecretKey(randomBytes(32));
const spent = new Map<string, number>();

type Answer = { readonly headers: readonly string[]; readonly body: Buffer };

const NOTHING: Answer = { headers: [], body: Buffer.alloc(0) };
const answers = new Map<string, Answer>();
if (values.answers !== undefined) {
  const recorded = JSON.parse(readFileSync(values.answers, 'utf8')) as Record<string, RecordedAnswer>;
  for (const [path, { headers, body }] of Object.entries(recorded))
    answers.set(path, { headers, body: Buffer.from(body, 'base64') });
}

const visitorSecret = randomBytes(32).toString('hex');
const digestVisitor = ({ socket }: IncomingMessage): void => {
  for (const prefix of ['/32', '/24'])
    hash('sha256', `${visitorSecret}${socket.remoteAddress}${prefix}`, 'buffer');
};

const sign = (challenge: string): string => createHmac('sha256', key).update(challenge).digest('hex');

const answer = (response: ServerResponse, path: string, made?: string): void => {
  const { headers, body } = answers.get(path) ?? NOTHING;
  const content = made ?? body;
  response.writeHead(200, [...headers, 'content-length', String(Buffer.byteLength(content))]).end(content);
};

const issueChallenge = (): string => {
  const salt = `${randomBytes(12).toString('hex')}?expires=${Math.floor(Date.now() / 1_000) + TTL_SECONDS}&`;
  const challenge = hash('sha256', salt + randomInt(MAX_NUMBER + 1));
  return JSON.stringify({
    algorithm: 'SHA-256',
    challenge,
    salt,
    signature: sign(challenge),
    maxnumber: MAX_NUMBER,
  });
};

const isFresh = ({ challenge, number, salt, signature }: WidgetProof): boolean => {
  const expires = Number(/expires=(\d+)/.exec(salt)?.[1]);
  if (!(expires > Date.now() / 1_000) || spent.has(challenge)) return false;
  if (!timingSafeEqual(Buffer.from(sign(challenge)), Buffer.from(signature))) return false;
  if (hash('sha256', salt + number) !== challenge) return false;
  spent.set(challenge, expires);
  return true;
};

const lookUp = (request: IncomingMessage, response: ServerResponse): void => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    const { proof } = JSON.parse(text) as { proof: string };
    const parsed = JSON.parse(Buffer.from(proof, 'base64').toString()) as WidgetProof;
    if (isFresh(parsed)) answer(response, '/lookup');
    else response.writeHead(403).end();
  });
};

createServer((request, response) => {
  const { url: path = '' } = request;
  if (path === '/challenge') {
    digestVisitor(request);
    answer(response, path, issueChallenge());
  } else if (path === '/lookup') {
    digestVisitor(request);
    lookUp(request, response);
  } else answer(response, path);
}).listen(Number(values.port), '127.0.0.1');
