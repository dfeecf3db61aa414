import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems hand out to connections and to `listen(0)`, so that nobody takes it before its server does. */
const [FIRST, LAST] = [11_000, 32_000];

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(randomInt(FIRST, LAST));
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  const port = (server.address() as { port: number }).port;
  server.close();
  await once(server, 'close');
  return port;
};
