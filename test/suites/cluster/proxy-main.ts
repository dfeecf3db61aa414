import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Route } from './proxy.ts';

let route: Route = { port: 0, delayMs: 0, state: 'closed' };
const sockets = new Set<Socket>();
const wakers = new Set<() => void>();

/** Passes on what arrives, in its order, each piece after the delay that held when it came. */
const pump = (from: Socket, to: Socket): void => {
  const held: { readonly dueMs: number; readonly bytes: Buffer }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const pass = (): void => {
    clearTimeout(timer);
    for (let next = held[0]; next !== undefined && route.state === 'open'; next = held[0]) {
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0) return void (timer = setTimeout(pass, waitMs));
      held.shift();
      to.write(next.bytes);
    }
  };
  wakers.add(pass);
  sockets.add(from);
  from.on('data', (bytes) => {
    held.push({ dueMs: performance.now() + route.delayMs, bytes });
    pass();
  });
  from.on('error', () => {});
  from.once('close', () => {
    wakers.delete(pass);
    sockets.delete(from);
    to.destroy();
  });
};

const serve = (near: Socket): void => {
  if (route.state === 'closed') return void near.resetAndDestroy();
  const far = connect({ port: route.port, host: '127.0.0.1', noDelay: true });
  pump(near, far);
  pump(far, near);
};

const ports: number[] = [];
for (let server = 0; server < Number(process.argv[2]); server += 1) {
  const listener = createServer({ noDelay: true }, serve).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  ports.push((listener.address() as AddressInfo).port);
}
process.on('disconnect', () => process.exit(0));
process.on('message', (change: Partial<Route>) => {
  const isMoved = change.port !== undefined && change.port !== route.port;
  route = { ...route, ...change };
  if (isMoved || route.state === 'closed') for (const socket of sockets) socket.resetAndDestroy();
  for (const wake of wakers) wake();
  process.send?.('done');
});
process.send?.(ports);
