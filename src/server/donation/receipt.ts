import { hash } from 'node:crypto';
import type { Random } from '#server/system.ts';
import { RECEIPT_PREFIX } from '#shared/receipt.ts';

/** Crockford's base 32: no letters that look like others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Without the check symbol. */
const SYMBOLS = 26;
const GROUPS = /.{1,5}/g;
/** The body may begin with the letters of the prefix too, so only its length tells whether that was typed. */
const TYPED = new RegExp(`^(?:${RECEIPT_PREFIX})?([${ALPHABET}]{${SYMBOLS + 1}})$`);

export const createReceipt = (random: Random): string => {
  const symbols = Array.from({ length: SYMBOLS }, () => ALPHABET[random.integer(ALPHABET.length)]).join('');
  const body = symbols + checkSymbol(symbols);
  return [RECEIPT_PREFIX, ...(body.match(GROUPS) ?? [])].join('-');
};

export const parseReceipt = (text: string): string | null => {
  const typed = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const body = TYPED.exec(typed)?.[1];
  return body !== undefined && checkSymbol(body.slice(0, SYMBOLS)) === body.at(-1) ? body : null;
};

/** Needs no key: nobody can try all of 130 random bits. So it outlives every key. */
export const receiptDigest = (receipt: string): string => hash('sha256', `whoflake/receipt/${receipt}`);

/** Over GF(32), each place with its own weight: one wrong symbol, or any two that changed places, are noticed. */
const checkSymbol = (symbols: string): string => {
  let sum = 0;
  for (const symbol of symbols) sum = timesX(sum ^ ALPHABET.indexOf(symbol));
  return ALPHABET[sum] as string;
};

/** Modulo the primitive polynomial x⁵ + x² + 1. */
const timesX = (value: number): number => (value < 16 ? value << 1 : (value << 1) ^ 0b10_0101);
