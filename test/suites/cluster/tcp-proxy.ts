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

export type TcpProxy = AsyncDisposable & {
  readonly port: number;
  /** Connections stay open, unless the route now leads elsewhere or is closed. */
  readonly steer: (change: Partial<Route>) => void;
};

type Direction = { readonly pump: () => void };

/** Passes on what arrives, in its order, each piece after the delay that held when it came. */
const createDirection = (from: Socket, to: Socket, route: () => Route): Direction => {
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
  return { pump };
};

/** Between the nodes and a store that may move, be slow, or be cut off. */
export const startTcpProxy = async (first: Route): Promise<TcpProxy> => {
  let route = first;
  const directions = new Set<Direction>();
  const sockets = new Set<Socket>();
  const drop = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };

  const server = createServer({ noDelay: true }, (near) => {
    if (route.state === 'closed') return void near.resetAndDestroy();
    const far = connect({ port: route.port, host: '127.0.0.1', noDelay: true });
    const both = [createDirection(near, far, () => route), createDirection(far, near, () => route)];
    for (const direction of both) directions.add(direction);
    for (const socket of [near, far]) {
      sockets.add(socket);
      // Its end is the other's end, too; whatever the reason.
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        for (const direction of both) directions.delete(direction);
        near.destroy();
        far.destroy();
      });
    }
    return undefined;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    steer: (change) => {
      const moved = change.port !== undefined && change.port !== route.port;
      route = { ...route, ...change };
      if (moved || route.state === 'closed') drop();
      for (const direction of directions) direction.pump();
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      drop();
      await once(server, 'close');
    },
  };
};
