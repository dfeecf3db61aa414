import { connect } from 'node:net';
import { FLOODS, type Flood, type FloodName } from './flood.ts';

const [name = '', port] = process.argv.slice(2);
const { prepare, requests, pipelined = false, unread = false }: Flood = FLOODS[name as FloodName];
const CONNECTIONS = 100;
/** Over all connections, 60 MB a second. */
const PORTION_BYTES = 60_000;
const BETWEEN_MS = 100;

let opened = 0;

/** One connection after the other, each of which sends until it is closed. */
const flood = (localAddress: string): void => {
  const next = requests[(opened += 1) % requests.length] ?? (() => '');
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  const portion = (): string =>
    pipelined ? next().repeat(Math.ceil(PORTION_BYTES / next().length)) : next();
  const send = (): void => {
    const text = portion();
    if (text === '') process.exit(0);
    socket.write(text);
  };
  socket.on('connect', send);
  if (!unread) socket.on('data', pipelined ? () => {} : send);
  if (pipelined) socket.on('drain', () => setTimeout(send, BETWEEN_MS));
  // Resets are expected here.
  socket.on('error', () => {}).on('close', () => setImmediate(flood, localAddress));
};

process.on('disconnect', () => process.exit(0));
await prepare?.(Number(port));
for (let n = 0; n < CONNECTIONS; n += 1) flood(prepare === undefined ? '127.0.0.1' : `127.1.${n}.1`);
process.send?.('begun');
