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

/** Catches the next message of a server that has this in it, before it or its answer passes. */
export type Trap = { readonly server: number; readonly pattern: string; readonly when: 'before' | 'after' };

export type Order =
  | { readonly kind: 'route'; readonly change: Partial<Route> }
  | { readonly kind: 'trap'; readonly trap: Trap | null };

export type Reply =
  | { readonly kind: 'ports'; readonly ports: readonly number[] }
  | { readonly kind: 'done' }
  | { readonly kind: 'caught'; readonly server: number };

/** One door to PostgreSQL for each server. */
export const startProxy = async (servers: number) => {
  const child = fork(fileURLToPath(import.meta.resolve('./proxy-main.ts')), [`${servers}`]);
  const [first] = (await once(child, 'message')) as [Reply];
  let done: () => void = () => {};
  let caught: () => void = () => {};
  child.on('message', ({ kind }: Reply) => {
    if (kind === 'done') done();
    if (kind === 'caught') caught();
  });
  const order = (given: Order): Promise<void> =>
    new Promise((resolve) => {
      done = resolve;
      child.send(given);
    });
  return {
    ports: first.kind === 'ports' ? first.ports : [],
    steer: (change: Partial<Route>): Promise<void> => order({ kind: 'route', change }),
    /** Resolves once something was caught; false if nothing was in time. */
    setTrap: async (trap: Trap, withinMs: number): Promise<boolean> => {
      const wasCaught = new Promise<boolean>((resolve) => {
        caught = () => resolve(true);
        setTimeout(() => resolve(false), withinMs).unref();
      });
      await order({ kind: 'trap', trap });
      const isCaught = await wasCaught;
      if (!isCaught) await order({ kind: 'trap', trap: null });
      return isCaught;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};
