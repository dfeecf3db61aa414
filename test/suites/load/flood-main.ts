import { connect } from 'node:net';
import { MAX_CONNECTIONS_OF } from '#server/http/connections/address-limit.ts';
import { FLOODS, type Flood, type FloodName } from './flood.ts';

const [name = '', port] = process.argv.slice(2);
const { requests, pipelined = false }: Flood = FLOODS[name as FloodName];
/** With as many connections as an address may have, 60 MB a second. */
const PORTION_BYTES = 60_000;
const BETWEEN_MS = 100;

let opened = 0;

/** One connection after the other, each of which sends until it is closed. */
const flood = (): void => {
  const next = requests[(opened += 1) % requests.length] ?? (() => '');
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.1' });
  const portion = (): string =>
    pipelined ? next().repeat(Math.ceil(PORTION_BYTES / next().length)) : next();
  const send = (): void => void socket.write(portion());
  socket.on('connect', send).on('data', pipelined ? () => {} : send);
  if (pipelined) socket.on('drain', () => setTimeout(send, BETWEEN_MS));
  // A reset is what it is here for.
  socket.on('error', () => {}).on('close', () => setImmediate(flood));
};

process.on('disconnect', () => process.exit(0));
for (let n = 0; n < MAX_CONNECTIONS_OF.narrow; n += 1) flood();
process.send?.('begun');
