// Between the servers and PostgreSQL, in a process of its own: the load keeps its own process busy.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Order, Reply, Route, Trap } from './proxy.ts';

let route: Route = { port: 0, delayMs: 0, state: 'closed' };
let trap: Trap | null = null;
const sockets = new Set<Socket>();
const wakers = new Set<() => void>();
const tell = (reply: Reply): void => void process.send?.(reply);

const isCaught = (server: number, bytes: Buffer): boolean =>
  trap?.server === server && new RegExp(trap.pattern, 's').test(bytes.toString('latin1'));

/** Passes on what arrives, in its order, each piece after the delay that held when it came. */
const pump = (from: Socket, to: Socket, keep: (bytes: Buffer) => boolean): void => {
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
  from.on('data', (bytes) => {
    if (!keep(bytes)) return;
    held.push({ dueMs: performance.now() + route.delayMs, bytes });
    pass();
  });
  wakers.add(pass);
  from.once('close', () => wakers.delete(pass));
};

const serve = (server: number) => (near: Socket) => {
  if (route.state === 'closed') return void near.resetAndDestroy();
  const far = connect({ port: route.port, host: '127.0.0.1', noDelay: true });
  let isTrapped = false;
  const spring = (): boolean => {
    isTrapped = true;
    trap = null;
    tell({ kind: 'caught', server });
    return false;
  };
  let awaitsAnswer = false;
  pump(near, far, (bytes) => {
    if (isTrapped) return false;
    if (!isCaught(server, bytes)) return true;
    if (trap?.when === 'before') return spring();
    awaitsAnswer = true;
    return true;
  });
  // The statement has been carried out, and the server never learns.
  pump(far, near, () => !isTrapped && (awaitsAnswer ? spring() : true));
  for (const socket of [near, far]) {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      near.destroy();
      far.destroy();
    });
  }
};

const follow = (order: Order): void => {
  if (order.kind === 'trap') ({ trap } = order);
  if (order.kind === 'route') {
    const isMoved = order.change.port !== undefined && order.change.port !== route.port;
    route = { ...route, ...order.change };
    if (isMoved || route.state === 'closed') for (const socket of sockets) socket.resetAndDestroy();
    for (const wake of wakers) wake();
  }
  tell({ kind: 'done' });
};

const ports: number[] = [];
for (let server = 0; server < Number(process.argv[2]); server += 1) {
  const listener = createServer({ noDelay: true }, serve(server)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  ports.push((listener.address() as AddressInfo).port);
}
process.on('message', follow).on('disconnect', () => process.exit(0));
tell({ kind: 'ports', ports });
