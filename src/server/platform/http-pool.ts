import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';
import * as http from '#server/node-http.ts';

/** As long as there is no request: a connection that a router in between has forgotten would only be found out by one. */
const IDLE_MS = 4_000;

/** HTTP/1.1, because a connection that stalls must not stall the others. No redirect is followed; the deadlines are the callers'. */
export const createHttpPool = (origin: string, connections: number) => {
  const { Agent, request } = origin.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_MS });
  return {
    get: async (
      path: string,
      headers: Readonly<Record<string, string>>,
      signal: AbortSignal,
    ): Promise<IncomingMessage> => {
      signal.throwIfAborted();
      const sent = request(origin + path, { agent, headers }).end();
      // Not as the request's own signal, whose error would be that of a connection that nobody listens to any more. And it
      // alone would not end the wait for a connection, or for an answer after a 101.
      signal.addEventListener('abort', () => sent.destroy());
      // Once there is an answer, its reader is told.
      sent.on('error', () => {});
      const [response] = (await once(sent, 'response', { signal })) as [IncomingMessage];
      return response;
    },
    close: (): void => agent.destroy(),
  };
};
