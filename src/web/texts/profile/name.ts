/** Apart from the rest of the card: the recent lookups have names as well. */
export const INVISIBLE_NAME = '(invisible name)';
