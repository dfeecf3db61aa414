import { parseIpAddress, type IpAddress } from './ip-address.ts';

type Cidr = { readonly address: IpAddress; readonly prefixLength: number };

export type ParsedCidr =
  | { readonly ok: true; readonly cidr: Cidr }
  | { readonly ok: false; readonly problem: string };

const CIDR = /^([\da-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i;

const refuse = (problem: string): ParsedCidr => ({ ok: false, problem });

/** `10.0.0.0/8`, `2001:db8::/32`, or one address alone. */
export const parseCidr = (text: string): ParsedCidr => {
  const [, addressText = '', lengthText] = CIDR.exec(text) ?? [];
  const address = parseIpAddress(addressText);
  if (address === undefined) return refuse('is not an address range such as 10.0.0.0/8 or 2001:db8::/32');

  const writtenBits = addressText.includes(':') ? 128 : 32;
  const addressBits = address.family === 'ipv4' ? 32 : 128;
  // `::ffff:10.0.0.0/104` is written with 128 bits and means the IPv4 range 10.0.0.0/8.
  const prefixLength = Number(lengthText ?? writtenBits) - (writtenBits - addressBits);
  if (prefixLength < 0 || prefixLength > addressBits) return refuse('has an impossible prefix length');
  if (prefixLength === 0) return refuse('would cover every address');
  return { ok: true, cidr: { address, prefixLength } };
};
