import type { Server, Socket } from 'node:net';
import type { Events } from '#server/observability/events.ts';
import type { Clock } from '#server/system.ts';
import { parseIpAddress } from '#server/visitors/ip-address.ts';
import { visitorPrefixes } from '#server/visitors/visitor-keys.ts';
import type { ProxyTrust } from '../client-ip.ts';

export type AddressLimitDeps = {
  /** A proxy holds the connections of all its visitors. */
  readonly isTrustedProxy: ProxyTrust;
  readonly clock: Clock;
  readonly events: Pick<Events, 'connectionClosed'>;
};

export type CountedSocket = Socket & {
  /** The address, or the IPv6 /64, that the connection counts against; a trusted proxy's counts against none. */
  countedAs?: string;
  /** It was closed because it sent too many requests at once. */
  isMisused?: boolean;
};

/** How long a misused connection keeps its place, so that opening the next one at once gains nothing. */
const MISUSED_MS = 30_000;

/** Enough for an office behind one address; to fill the server takes a hundred addresses. */
export const MAX_CONNECTIONS_OF = { narrow: 100, wide: 800 };

/** Closes connections beyond the share of an address or of a network. */
export const limitConnectionsByAddress = (
  server: Server,
  { isTrustedProxy, clock, events }: AddressLimitDeps,
): void => {
  const open = new Map<string, number>();
  const change = (prefix: string, by: 1 | -1): void => {
    const count = (open.get(prefix) ?? 0) + by;
    if (count === 0) open.delete(prefix);
    else open.set(prefix, count);
  };

  server.on('connection', (socket: CountedSocket) => {
    const peer = parseIpAddress(socket.remoteAddress ?? '');
    // A socket that has already closed has no address.
    if (peer === undefined || isTrustedProxy(peer)) return;
    const { narrow, wide } = visitorPrefixes(peer.text);
    const isFull =
      (open.get(narrow) ?? 0) >= MAX_CONNECTIONS_OF.narrow ||
      (open.get(wide) ?? 0) >= MAX_CONNECTIONS_OF.wide;
    if (isFull) {
      events.connectionClosed('address-limit');
      socket.destroy();
      return;
    }
    socket.countedAs = narrow;
    change(narrow, 1);
    change(wide, 1);
    const free = (): void => {
      change(narrow, -1);
      change(wide, -1);
    };
    socket.once('close', () => {
      if (socket.isMisused === true) clock.after(MISUSED_MS, free);
      else free();
    });
  });
};
