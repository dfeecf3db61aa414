import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Where connections lead, and what becomes of what is sent. */
export type Route = {
  readonly port: number;
  /** In each direction. */
  readonly delayMs: number;
  /** Silent: nothing comes through and connections stay open; what was sent arrives once the route is open again. */
  readonly state: 'open' | 'closed' | 'silent';
};

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

type Pump = () => void;

/** Passes on what arrives, in its order, each piece after the delay that held when it came. */
const startPump = (from: Socket, to: Socket, route: () => Route): Pump => {
  const held: { readonly dueMs: number; readonly bytes: Buffer }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const pump = (): void => {
    clearTimeout(timer);
    if (route().state !== 'open') return;
    for (let next = held[0]; next !== undefined; next = held[0]) {
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0) {
        timer = setTimeout(pump, waitMs);
        return;
      }
      held.shift();
      to.write(next.bytes);
    }
  };
  from.on('data', (bytes) => {
    held.push({ dueMs: performance.now() + route().delayMs, bytes });
    pump();
  });
  from.once('close', () => clearTimeout(timer));
  return pump;
};

/** Between the nodes and a store that may move, be slow, or be cut off. */
export const startTcpProxy = async (first: Route) => {
  let route = first;
  const pumps = new Set<Pump>();
  const sockets = new Set<Socket>();
  const drop = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };

  const server = createServer({ noDelay: true }, (near) => {
    if (route.state === 'closed') return void near.resetAndDestroy();
    const far = connect({ port: route.port, host: '127.0.0.1', noDelay: true });
    const both = [startPump(near, far, () => route), startPump(far, near, () => route)];
    for (const pump of both) pumps.add(pump);
    for (const socket of [near, far]) {
      sockets.add(socket);
      // Its end is the other's end, too; whatever the reason.
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        for (const pump of both) pumps.delete(pump);
        near.destroy();
        far.destroy();
      });
    }
    return undefined;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    /** Connections stay open, unless the route now leads elsewhere or is closed. */
    steer: (change: Partial<Route>): void => {
      const moved = change.port !== undefined && change.port !== route.port;
      route = { ...route, ...change };
      if (moved || route.state === 'closed') drop();
      for (const pump of pumps) pump();
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      drop();
      await once(server, 'close');
    },
  };
};
