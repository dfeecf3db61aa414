export type BitWriter = {
  /** Appends the lowest `count` bits, the least significant first. */
  readonly write: (value: number, count: number) => void;
  readonly bytes: () => Buffer;
};

/** Packs bits into bytes from the low end, as both GIF and WebP want them. */
export const createBitWriter = (): BitWriter => {
  let buffer = Buffer.alloc(4096);
  let length = 0;
  let pending = 0;
  let pendingBits = 0;

  const append = (byte: number): void => {
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(buffer.length)]);
    buffer[length] = byte;
    length += 1;
  };

  return {
    write: (value, count) => {
      // At most 7 bits wait, and no code is longer than 24: the sum fits an unsigned 32-bit integer.
      pending = (pending | (value << pendingBits)) >>> 0;
      for (pendingBits += count; pendingBits >= 8; pendingBits -= 8) {
        append(pending & 0xff);
        pending >>>= 8;
      }
    },
    bytes: () => {
      if (pendingBits > 0) append(pending);
      [pending, pendingBits] = [0, 0];
      return buffer.subarray(0, length);
    },
  };
};
