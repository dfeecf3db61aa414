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

const writeHead = (response: ServerResponse, answer: Answer, contentLength: number): void => {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': contentLength });
};

/** Sends the answer in the way its delivery asks for. */
export const deliver = async (response: ServerResponse, answer: Answer, pause: Pause): Promise<void> => {
  const { body, delivery } = answer;
  const length = Buffer.byteLength(body);
  switch (delivery?.kind) {
    case undefined:
      writeHead(response, answer, length);
      response.end(body);
      return;
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'truncate':
      writeHead(response, answer, length + MISSING_BYTES);
      response.write(body, () => response.destroy());
      return;
    case 'drip':
      writeHead(response, answer, length);
      await drip(response, Buffer.from(body), () => pause(delivery.intervalMs));
  }
};
