import { BlockList } from 'node:net';
import { parseCidr, parseIpAddress, type IpAddress } from '#server/visitors/ip-address.ts';

export type ClientIp = (
  peerAddress: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
) => string;

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
export const createProxyTrust = (ranges: readonly string[]): ProxyTrust => {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const parsed = parseCidr(range);
    if (!parsed.ok) throw new TypeError(`Trusted proxy "${range}" ${parsed.problem}.`);
    const { address, prefixLength } = parsed;
    lists[address.family].addSubnet(address.text, prefixLength, address.family);
  }
  return ({ text, family }) => lists[family].check(text, family);
};

/**
 * The right-most address that is not a trusted proxy's. Everything to the left of it came from the client and is not
 * even parsed, so that no client can choose an address by a header.
 */
export const createClientIp = (
  trustedProxies: readonly string[],
  onUntrusted: (peer: string) => void = () => {},
): ClientIp => {
  const isTrusted = createProxyTrust(trustedProxies);
  return (peerAddress, forwardedFor) => {
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
};
