import { createHmac, createSecretKey, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';

/**
 * The yardstick: what the product's hot paths cost on node:http with the same cryptography and nothing else: the
 * challenge's, and the two keyed digests of the visitor's address. No limits, no security headers, no schemas,
 * hardly any checks. Not a server that anybody should run.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    profile: { type: 'string' },
    page: { type: 'string' },
    script: { type: 'string' },
  },
});
/** Easier than the product allows: solving these is no part of what is measured. */
const MAX_NUMBER = 10;
const TTL_SECONDS = 300;

const key = createSecretKey(randomBytes(32));
const spent = new Map<string, number>();
const profile = readFileSync(values.profile ?? '');
const page = readFileSync(values.page ?? '');
const script = readFileSync(values.script ?? '');

const visitorSecret = randomBytes(32).toString('hex');
const digestVisitor = ({ socket }: IncomingMessage): void => {
  for (const prefix of ['/32', '/24'])
    hash('sha256', `${visitorSecret}${socket.remoteAddress}${prefix}`, 'buffer');
};

const sign = (challenge: string): string => createHmac('sha256', key).update(challenge).digest('hex');

const answer = (response: ServerResponse, body: string | Buffer, type = 'application/json'): void => {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
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

type Proof = {
  readonly challenge: string;
  readonly number: number;
  readonly salt: string;
  readonly signature: string;
};

const isFresh = ({ challenge, number, salt, signature }: Proof): boolean => {
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
    const parsed = JSON.parse(Buffer.from(proof, 'base64').toString()) as Proof;
    if (isFresh(parsed)) answer(response, profile);
    else response.writeHead(403).end();
  });
};

createServer((request, response) => {
  if (request.url === '/challenge') {
    digestVisitor(request);
    answer(response, issueChallenge());
  } else if (request.url === '/lookup') {
    digestVisitor(request);
    lookUp(request, response);
  } else {
    const body = request.url === '/' ? page : script;
    response.writeHead(200, {
      'content-type': 'text/html',
      'content-encoding': 'br',
      'content-length': body.length,
    });
    response.end(body);
  }
}).listen(Number(values.port), '127.0.0.1');
