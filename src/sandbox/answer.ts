import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** How the network damages it on the way. `dripMs` is the pause after each byte. */
  readonly delivery?: 'hang' | 'reset' | 'truncate' | { readonly dripMs: number };
};

const ORIGIN_HEADERS = { 'content-type': 'application/json', via: '1.1 google', server: 'cloudflare' };

export const jsonAnswer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, headers: { ...ORIGIN_HEADERS, ...headers }, body });

/** Its request never reached the platform, so it carries no `via`. */
export const edgeAnswer = (status: number, contentType: string, body: string | Buffer): Answer => ({
  status,
  headers: { 'content-type': contentType, server: 'cloudflare' },
  body,
});

export const withHeaders = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

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
