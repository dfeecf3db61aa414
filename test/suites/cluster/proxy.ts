import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Where connections lead, and what becomes of what is sent. */
export type Route = {
  readonly port: number;
  /** In each direction. */
  readonly delayMs: number;
  /** Silent: nothing comes through and connections stay open; what was sent arrives once the route is open again. */
  readonly state: 'open' | 'closed' | 'silent';
};

/** One door to PostgreSQL for each server, in a process of its own: the load keeps its own process busy. */
export const startProxy = async (servers: number) => {
  const child = fork(fileURLToPath(import.meta.resolve('./proxy-main.ts')), [`${servers}`]);
  const [ports] = (await once(child, 'message')) as [readonly number[]];
  return {
    ports,
    steer: async (change: Partial<Route>): Promise<void> => {
      const done = once(child, 'message');
      child.send(change);
      await done;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};
