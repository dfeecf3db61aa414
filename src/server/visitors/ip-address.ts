import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';
import type { Logger } from '#server/observability/logger.ts';
import { HOUR_MS, type Clock } from '#server/system.ts';

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

export type AddressRange = IpAddress & { readonly prefixLength: number };

type ParsedCidr = { readonly value: AddressRange } | { readonly problem: string };

const CIDR = /^([\da-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i;

export const parseCidr = (text: string): ParsedCidr => {
  const [, addressText = '', lengthText] = CIDR.exec(text) ?? [];
  const address = parseIpAddress(addressText);
  if (address === undefined)
    return { problem: 'is not an address range such as 10.0.0.0/8 or 2001:db8::/32' };

  const writtenBits = addressText.includes(':') ? 128 : 32;
  const addressBits = address.family === 'ipv4' ? 32 : 128;
  // `::ffff:10.0.0.0/104` is written with 128 bits and means the IPv4 range 10.0.0.0/8.
  const prefixLength = Number(lengthText ?? writtenBits) - (writtenBits - addressBits);
  if (prefixLength < 0 || prefixLength > addressBits) return { problem: 'has an impossible prefix length' };
  if (prefixLength === 0) return { problem: 'would cover every address' };
  return { value: { ...address, prefixLength } };
};

const PRIVATE_RANGES =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 ::/127 fc00::/7 fe80::/10';

let privateRanges: BlockList | undefined;

export const isPrivateAddress = (text: string): boolean => {
  const address = parseIpAddress(text);
  if (address === undefined) return false;
  if (privateRanges === undefined) {
    privateRanges = new BlockList();
    for (const range of PRIVATE_RANGES.split(' ')) {
      const [network = '', bits] = range.split('/');
      privateRanges.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
    }
  }
  return privateRanges.check(address.text, address.family);
};

const ipv4Prefixes = (address: string) => ({
  narrow: `${address}/32`,
  wide: `${address.slice(0, address.lastIndexOf('.'))}.0/24`,
  block: `${address.split('.', 2).join('.')}.0.0/16`,
});

const ipv6Prefixes = (address: string) => {
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after];
  const prefix = (length: number): string => `${groups.slice(0, length).join(':')}::/${16 * length}`;
  return { narrow: prefix(4), wide: prefix(3), block: prefix(2) };
};

/** A visitor, their network, and what an address registry hands out as one. */
export const visitorPrefixes = (address: string) => {
  const ip = parseIpAddress(address);
  if (ip === undefined) return { narrow: 'unknown', wide: 'unknown', block: 'unknown' };
  return ip.family === 'ipv4' ? ipv4Prefixes(ip.text) : ipv6Prefixes(ip.text);
};

/** `1.2.3.4:567`, `[2001:db8::1]` and `[2001:db8::1]:567`, as some proxies write them. */
const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/;
const BRACKETED_IPV6 = /^\[([^[\]]*:[^[\]]*)\](?::\d{1,5})?$/;

const withoutPort = (address: string): string =>
  IPV4_WITH_PORT.exec(address)?.[1] ?? BRACKETED_IPV6.exec(address)?.[1] ?? address;

/** Of an address as a proxy writes it. */
export const createTrust = (proxies: readonly AddressRange[]): ((written: string) => boolean) => {
  // One for each family: `::/64` is not to cover IPv4.
  const trusted = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { family, text, prefixLength } of proxies) trusted[family].addSubnet(text, prefixLength, family);
  return (written) => {
    const address = parseIpAddress(withoutPort(written));
    return address !== undefined && trusted[address.family].check(address.text, address.family);
  };
};

/** The right-most address that is not a trusted proxy's, by the framework's `trustProxy`. What is left of it came from the client. */
export const createClientIp =
  (isTrusted: (address: string) => boolean, onUntrusted: (peer: string) => void) =>
  ({ ip, raw }: { readonly ip: string; readonly raw: IncomingMessage }): string => {
    const { remoteAddress = '' } = raw.socket;
    if (raw.headers['x-forwarded-for'] !== undefined && !isTrusted(remoteAddress)) onUntrusted(remoteAddress);
    return withoutPort(ip);
  };

/** A visitor can send the header, but not from a private address, nor to a site whose HTTPS somebody else speaks. */
export const createUntrustedProxy = (clock: Clock, publicUrl: string, logger: Pick<Logger, 'warn'>) => {
  const isBehindProxy = publicUrl.startsWith('https:');
  let seen: { readonly peer: string | null; readonly atMs: number } | null = null;
  const recent = (): { readonly peer: string | null } | null =>
    seen !== null && clock.monotonicMs() - seen.atMs < HOUR_MS ? { peer: seen.peer } : null;

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
    recent,
  };
};
