import { startTcpProxy, type Route } from './tcp-proxy.ts';

/** A process of its own, so that the load, which keeps its own process busy, does not make Redis slow. */
const proxy = await startTcpProxy({ port: 0, delayMs: 0, state: 'closed' });
process.on('message', (change: Partial<Route>) => {
  proxy.steer(change);
  process.send?.('steered');
});
process.on('disconnect', () => process.exit(0));
process.send?.(proxy.port);
