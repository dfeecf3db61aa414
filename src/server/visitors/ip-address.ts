import { isIP, SocketAddress } from 'node:net';

export type IpAddress = { readonly family: 'ipv4' | 'ipv6'; readonly text: string };

const MAPPED_IPV4 = /^::ffff:([\d.]+)$/;

/** One spelling per address: lower case, compressed, without zone, and IPv4-mapped IPv6 as IPv4. */
export const parseIpAddress = (text: string): IpAddress | undefined => {
  const version = isIP(text);
  if (version === 0) return undefined;
  if (version === 4) return { family: 'ipv4', text };
  const canonical = new SocketAddress({ address: text, family: 'ipv6' }).address;
  const mapped = MAPPED_IPV4.exec(canonical)?.[1];
  return mapped === undefined ? { family: 'ipv6', text: canonical } : { family: 'ipv4', text: mapped };
};
