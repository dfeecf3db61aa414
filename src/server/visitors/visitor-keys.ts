import { hash } from 'node:crypto';
import { parseIpAddress } from './ip-address.ts';

/** Of the visitor's network: `narrow` is about one household, `wide` about one site. */
export type ByPrefix<Value> = { readonly narrow: Value; readonly wide: Value };

const DAY_MS = 86_400_000;

const ipv4Prefixes = (address: string): ByPrefix<string> => ({
  narrow: `${address}/32`,
  wide: `${address.slice(0, address.lastIndexOf('.'))}.0/24`,
});

const ipv6Prefixes = (address: string): ByPrefix<string> => {
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after];
  return { narrow: `${groups.slice(0, 4).join(':')}::/64`, wide: `${groups.slice(0, 3).join(':')}::/48` };
};

/** All texts that are no address share one prefix. */
export const visitorPrefixes = (address: string): ByPrefix<string> => {
  const ip = parseIpAddress(address);
  if (ip === undefined) return { narrow: 'unknown', wide: 'unknown' };
  return ip.family === 'ipv4' ? ipv4Prefixes(ip.text) : ipv6Prefixes(ip.text);
};

/**
 * What visitors' addresses are digested with. Another secret each day: nothing counted leads back to them later. Where
 * several servers must agree, `secretOf` takes the day's from the keyring: in the database, next to the digests, it
 * would let a thief of the database try out all addresses.
 */
export const createDailySecret = (nowMs: () => number, secretOf: (day: number) => string): (() => string) => {
  let known = { day: Number.NaN, secret: '' };
  return () => {
    const day = Math.floor(nowMs() / DAY_MS);
    if (day !== known.day) known = { day, secret: secretOf(day) };
    return known.secret;
  };
};

/** A third of HMAC's cost; HMAC would add nothing, because at most half of a digest is ever stored. */
export const visitorDigest = (secret: string, text: string): Buffer =>
  hash('sha256', secret + text, 'buffer').subarray(0, 16);
