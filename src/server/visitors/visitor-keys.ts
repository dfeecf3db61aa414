import { hash } from 'node:crypto';
import type { DailySecret } from './daily-secret.ts';
import { parseIpAddress } from './ip-address.ts';

/** Of the visitor's network: `narrow` is about one household, `wide` about one site. */
type OfNetwork<Value> = { readonly narrow: Value; readonly wide: Value };

/** Keyed digests. */
export type KeysOfVisitor = (address: string) => OfNetwork<Buffer>;

const ipv4Prefixes = (address: string): OfNetwork<string> => ({
  narrow: `${address}/32`,
  wide: `${address.slice(0, address.lastIndexOf('.'))}.0/24`,
});

const ipv6Prefixes = (address: string): OfNetwork<string> => {
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after];
  return { narrow: `${groups.slice(0, 4).join(':')}::/64`, wide: `${groups.slice(0, 3).join(':')}::/48` };
};

/** All texts that are no address share one prefix. */
export const visitorPrefixes = (address: string): OfNetwork<string> => {
  const ip = parseIpAddress(address);
  if (ip === undefined) return { narrow: 'unknown', wide: 'unknown' };
  return ip.family === 'ipv4' ? ipv4Prefixes(ip.text) : ipv6Prefixes(ip.text);
};

/** A third of HMAC's cost; HMAC would add nothing, because at most half of a digest is ever stored. */
const digest = (secret: string, prefix: string): Buffer => hash('sha256', secret + prefix, 'buffer');

export const createVisitorKeys =
  (dailySecret: DailySecret): KeysOfVisitor =>
  (address) => {
    const { narrow, wide } = visitorPrefixes(address);
    const secret = dailySecret();
    return { narrow: digest(secret, narrow), wide: digest(secret, wide) };
  };
