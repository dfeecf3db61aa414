import { Agent, request as httpRequest } from 'node:http';
import type { Challenge } from '#shared/contract/challenge.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { faultOfAnswer } from './answer-fault.ts';
import { createDice } from './dice.ts';
import { hostileRequest, type HostileRequest, type SpentProofs } from './hostile-requests.ts';
import { httpExchange, rawExchange, type RawAnswer } from './raw-exchange.ts';
import { createTally, type FuzzResult, type Tally } from './tally.ts';

const CONCURRENCY = 16;
const RAW_PATIENCE_MS = 40;
/** An id that the sandbox knows, so that the first lookup puts it into the cache. */
const KNOWN_ID = '441997505123577857';

type Send = (request: Omit<Extract<HostileRequest, { kind: 'http' }>, 'kind'>) => Promise<RawAnswer>;

/** An ordinary HTTP client whose connections are used again, as a visitor's are. */
const createSender = (port: number, agent: Agent): Send => {
  const send: Send = async (request) => {
    const { method, path, body } = request;
    const length = body.length > 0 ? { 'content-length': body.length } : {};
    const headers = { ...request.headers, ...length };
    const outgoing = httpRequest({ agent, host: '127.0.0.1', port, method, path, headers });
    try {
      return await httpExchange(outgoing, body);
    } catch (error) {
      // The server may close an idle connection just as we take it up again; any client then tries once more.
      if (outgoing.reusedSocket) return send(request);
      throw error;
    }
  };
  return send;
};

const lookUp = async (send: Send) => {
  const asked = { method: 'GET', path: '/challenge', headers: {}, body: Buffer.alloc(0) };
  const proof = solveChallenge(JSON.parse((await send(asked)).body) as Challenge);
  const body = Buffer.from(JSON.stringify({ discord_id: KNOWN_ID, proof: encodeProof(proof) }));
  const headers = { 'content-type': 'application/json' };
  return { proof, answer: await send({ method: 'POST', path: '/lookup', headers, body }) };
};

const attack = async (request: HostileRequest, port: number, send: Send): Promise<string | null> => {
  if (request.kind === 'raw') {
    const answer = await rawExchange(port, request.bytes, RAW_PATIENCE_MS);
    const method = request.bytes.toString('latin1', 0, 5) === 'HEAD ' ? 'HEAD' : '';
    // Closing without an answer is a valid reaction to something that is not a request.
    return answer === null ? null : faultOfAnswer(answer, method);
  }
  try {
    return faultOfAnswer(await send(request), request.method);
  } catch (error) {
    return String(error);
  }
};

const describe = (request: HostileRequest): string =>
  request.kind === 'raw'
    ? JSON.stringify(request.bytes.toString('latin1'))
    : JSON.stringify({ ...request, body: request.body.toString('latin1') });

export type FuzzTarget = { readonly port: number; readonly seed: number; readonly count: number };

const attackAll = async (
  target: FuzzTarget,
  send: Send,
  proofs: SpentProofs,
  tally: Tally,
): Promise<void> => {
  const dice = createDice(target.seed);
  let left = target.count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const request = hostileRequest(dice, proofs);
      const fault = await attack(request, target.port, send);
      tally.check(fault === null, () => `${fault}: ${describe(request)}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
};

/** Sends hostile requests to every route. A lookup must work before, so that its answer is cached, and after. */
export const fuzzRequests = async (target: FuzzTarget): Promise<FuzzResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const send = createSender(target.port, agent);
  const tally = createTally();
  try {
    const before = [await lookUp(send), await lookUp(send)] as const;
    await attackAll(target, send, [before[0].proof, before[1].proof], tally);
    const { answer } = await lookUp(send);
    const same = answer.status === 200 && answer.body === before[0].answer.body;
    if (!same) tally.check(false, () => `the lookup afterwards: ${answer.status} ${answer.body}`);
    return tally.result();
  } finally {
    agent.destroy();
  }
};
