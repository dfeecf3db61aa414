import * as fc from 'fast-check';

/** Of any code points. fast-check's own unit for that, `binary`, first takes seconds for a table of all of them. */
export const anyText = fc.string({ unit: fc.nat(0x10_ff_ff).map((point) => String.fromCodePoint(point)) });
