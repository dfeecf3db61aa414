import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './answer.ts';

/** Resolves after `ms`. */
export type Pause = (ms: number) => Promise<void>;

export const realPause: Pause = (ms) => delay(ms, undefined, { ref: false });

const MISSING_BYTES = 64;

const drip = async (response: ServerResponse, body: Buffer, wait: () => Promise<void>): Promise<void> => {
  for (const byte of body) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await wait();
  }
  response.end();
};

/** Sends the answer in the way its delivery asks for. */
export const deliver = async (response: ServerResponse, answer: Answer, pause: Pause): Promise<void> => {
  const { status, headers, body, delivery } = answer;
  if (delivery === 'hang') return;
  if (delivery === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const length = Buffer.byteLength(body) + (delivery === 'truncate' ? MISSING_BYTES : 0);
  response.writeHead(status, { ...headers, 'content-length': length });
  if (delivery === undefined) response.end(body);
  else if (delivery === 'truncate') response.write(body, () => response.destroy());
  else await drip(response, Buffer.from(body), () => pause(delivery.dripMs));
};
