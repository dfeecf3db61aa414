import { parseCidr, type AddressRange } from '#server/visitors/ip-address.ts';

export const rangesOf = (texts: readonly string[]): AddressRange[] =>
  texts.map((text) => {
    const parsed = parseCidr(text);
    if ('problem' in parsed) throw new TypeError(`${text} ${parsed.problem}.`);
    return parsed.value;
  });
