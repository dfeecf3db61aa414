import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Route } from './tcp-proxy.ts';

/** A TCP proxy in a process of its own. */
export type ProxyProcess = AsyncDisposable & {
  readonly port: number;
  /** Resolves once it is in effect. */
  readonly steer: (change: Partial<Route>) => Promise<void>;
};

export const startProxyProcess = async (): Promise<ProxyProcess> => {
  const child = fork(fileURLToPath(import.meta.resolve('./tcp-proxy-main.ts')));
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    steer: async (change) => {
      const steered = once(child, 'message');
      child.send(change);
      await steered;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};
