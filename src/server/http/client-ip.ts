import { BlockList } from 'node:net';
import type { Logger } from '#server/observability/logger.ts';
import type { Clock } from '#server/system.ts';
import {
  isPrivateAddress,
  parseIpAddress,
  type AddressRange,
  type IpAddress,
} from '#server/visitors/ip-address.ts';

export type ProxyTrust = (address: IpAddress) => boolean;

const MAX_HOPS = 20;
/** A socket that already closed has no peer address; no real client has this one. */
const UNKNOWN_PEER: IpAddress = { family: 'ipv6', text: '::' };
/** `1.2.3.4:567`, `[2001:db8::1]` and `[2001:db8::1]:567`, as some proxies write them. */
const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/;
const BRACKETED_IPV6 = /^\[([^[\]]*:[^[\]]*)\](?::\d{1,5})?$/;

const parseForwardedEntry = (entry: string): IpAddress | undefined => {
  const text = entry.trim();
  return parseIpAddress(IPV4_WITH_PORT.exec(text)?.[1] ?? BRACKETED_IPV6.exec(text)?.[1] ?? text);
};

/** One list per family: a `BlockList` with an IPv6 range would also match IPv4 addresses as mapped ones. */
export const createProxyTrust = (ranges: readonly AddressRange[]): ProxyTrust => {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { text, family, prefixLength } of ranges) lists[family].addSubnet(text, prefixLength, family);
  return ({ text, family }) => lists[family].check(text, family);
};

/** The right-most address that is not a trusted proxy's. What is left of it came from the client, and is not even parsed. */
export const createClientIp =
  (isTrusted: ProxyTrust, onUntrusted: (peer: string) => void) =>
  (peerAddress: string | undefined, forwardedFor: string | readonly string[] | undefined): string => {
    const peer = parseIpAddress(peerAddress ?? '') ?? UNKNOWN_PEER;
    if (forwardedFor === undefined) return peer.text;
    if (!isTrusted(peer)) {
      onUntrusted(peer.text);
      return peer.text;
    }

    const entries = String(forwardedFor).split(',').toReversed();
    let furthest = peer;
    for (const [hop, entry] of entries.entries()) {
      const address = parseForwardedEntry(entry);
      if (address === undefined || hop >= MAX_HOPS) return peer.text;
      if (!isTrusted(address)) return address.text;
      furthest = address;
    }
    return furthest.text;
  };

const REMEMBERED_MS = 3_600_000;

/** A visitor can send the header, but not from a private address, nor to a site whose HTTPS somebody else speaks. */
export const createUntrustedProxy = (clock: Clock, publicUrl: string, logger: Pick<Logger, 'warn'>) => {
  const isBehindProxy = publicUrl.startsWith('https:');
  let seen: { readonly peer: string | null; readonly atMs: number } | null = null;
  const recent = () => (seen !== null && clock.monotonicMs() - seen.atMs < REMEMBERED_MS ? seen : null);

  return {
    seen: (address: string): void => {
      const isPrivate = isPrivateAddress(address);
      if (!isPrivate && !isBehindProxy) return;
      // A public address may be a visitor's.
      const peer = isPrivate ? address : null;
      if (recent() === null)
        logger.warn(
          { event: 'untrusted-proxy', peer },
          'a proxy is not in TRUSTED_PROXIES: all visitors behind it share one limit',
        );
      seen = { peer, atMs: clock.monotonicMs() };
    },
    recent: (): { readonly peer: string | null } | null => {
      const found = recent();
      return found && { peer: found.peer };
    },
  };
};
