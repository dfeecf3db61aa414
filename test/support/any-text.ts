import * as fc from 'fast-check';

/** Any code points. fast-check's own unit for that, `binary`, needs seconds to build a table of all of them. */
export const anyText = fc.string({ unit: fc.nat(0x10_ff_ff).map((point) => String.fromCodePoint(point)) });
