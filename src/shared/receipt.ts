/** Every receipt begins with it. No bot token does: theirs begin with digits in base 64. */
export const RECEIPT_PREFIX = 'WD';
