import { Pool } from 'undici';
import { CONNECT_MS } from '#server/deadlines.ts';

/** HTTP/1.1, because a connection that stalls must not stall the others; undici follows no redirect by itself. */
export const createHttpPool = (origin: string, connections: number): Pool =>
  new Pool(origin, {
    connections,
    allowH2: false,
    connect: { timeout: CONNECT_MS },
    // Our own deadlines hold, on our own clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
