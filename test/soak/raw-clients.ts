import { once } from 'node:events';
import { connect } from 'node:net';

export type RawLoad = {
  readonly port: number;
  readonly clients: number;
  /** Whole requests. One that is refused with 503 is sent again, on the same connection. */
  readonly requests: Iterator<string>;
  /** How long a client waits after a refusal. */
  readonly patienceMs: number;
  /** It is over after so many good answers. */
  readonly goodAnswers: number;
};

export type RawResult = {
  readonly good: number;
  readonly seconds: number;
  readonly refusalsMs: readonly number[];
  readonly others: readonly string[];
};

const HEAD_END = '\r\n\r\n';

/** The status of the answer in `text`, once it is whole. */
const statusOf = (text: string): string | undefined => {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
  return text.length < headEnd + HEAD_END.length + length ? undefined : text.slice(9, 12);
};

/** Clients with a connection each, that send the next request as soon as the last one is answered, at little cost. */
export const runRawClients = async (load: RawLoad): Promise<RawResult> => {
  const refusalsMs: number[] = [];
  const others: string[] = [];
  let good = 0;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();

  // All are connected before the clock starts.
  const sockets = Array.from({ length: load.clients }, () => connect(load.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const startMs = performance.now();
  for (const socket of sockets) {
    socket.setNoDelay(true).setEncoding('latin1');
    let request = '';
    let received = '';
    let sentMs = 0;
    const send = (): void => {
      sentMs = performance.now();
      if (!socket.destroyed) socket.write(request);
    };
    const sendNext = (): void => {
      const { done, value } = load.requests.next();
      if (done === true) return end();
      request = value;
      send();
    };
    socket.once('error', (error) => others.push(error.message));
    socket.on('data', (chunk) => {
      received += String(chunk);
      const status = statusOf(received);
      if (status === undefined) return;
      const text = received;
      received = '';
      if (status === '503' && text.includes('"overloaded"')) {
        refusalsMs.push(performance.now() - sentMs);
        setTimeout(send, load.patienceMs);
        return;
      }
      if (status === '200') good += 1;
      else others.push(text.slice(text.indexOf(HEAD_END)).trim());
      if (good >= load.goodAnswers) end();
      else sendNext();
    });
    sendNext();
  }
  await over;
  const seconds = (performance.now() - startMs) / 1_000;
  for (const socket of sockets) socket.destroy();
  return { good, seconds, refusalsMs, others };
};
