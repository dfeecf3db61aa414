import { BlockList } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Logger } from '#server/observability/logger.ts';
import type { Clock } from '#server/system.ts';
import { isPrivateAddress, parseIpAddress, type AddressRange } from '#server/visitors/ip-address.ts';

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
  ({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>): string => {
    const { remoteAddress = '' } = raw.socket;
    if (raw.headers['x-forwarded-for'] !== undefined && !isTrusted(remoteAddress)) onUntrusted(remoteAddress);
    return withoutPort(ip);
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
