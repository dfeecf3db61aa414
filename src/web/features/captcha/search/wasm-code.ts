/** Bytes of WebAssembly, nested as they came together. As code: an expression leaves one value on the stack, a statement none. */
export type Code = number | readonly Code[];

const flatten = (code: readonly unknown[]): number[] => code.flat(Infinity) as number[];

const unsigned = (value: number): Code =>
  value < 0x80 ? value : [(value & 0x7f) | 0x80, unsigned(value >>> 7)];
const signed = (value: number): Code =>
  value >= -0x40 && value < 0x40 ? value & 0x7f : [(value & 0x7f) | 0x80, signed(value >> 7)];

const instruction =
  (...opcode: readonly Code[]) =>
  (...operands: readonly Code[]): Code => [operands, opcode];

export const number = {
  of: (value: number): Code => [0x41, signed(value)],
  isLess: instruction(0x49),
  add: instruction(0x6a),
  and: instruction(0x71),
};

const vectorInstruction = (opcode: number) => instruction(0xfd, unsigned(opcode));
const loadVector = vectorInstruction(0);
const storeVector = vectorInstruction(11);
/** Vectors begin at multiples of 2 ** 4. */
const memoryAccess = (offset: number): Code => [4, unsigned(offset)];

/** Vectors of four words of 32 bits. */
export const vector = {
  load: (address: Code, offset: number): Code => [loadVector(address), memoryAccess(offset)],
  store: (address: Code, offset: number, value: Code): Code => [
    storeVector(address, value),
    memoryAccess(offset),
  ],
  /** The same number four times. */
  of: vectorInstruction(17),
  isEqual: vectorInstruction(55),
  xor: vectorInstruction(81),
  /** The bits of the first where the third has ones, and of the second where it has zeros. */
  select: vectorInstruction(82),
  isAnySet: vectorInstruction(83),
  shiftLeft: vectorInstruction(171),
  shiftRight: vectorInstruction(173),
  add: vectorInstruction(174),
};

export const get = (local: number): Code => [0x20, unsigned(local)];
/** Without a value, takes the one on top of the stack. */
export const set = (local: number, value: Code = []): Code => [value, 0x21, unsigned(local)];
export const giveBack = instruction(0x0f);

const END = 0x0b;
const NO_RESULT = 0x40;
const BRANCH_TO_START_IF = [0x0d, 0];

export const doIf = (condition: Code, ...body: readonly Code[]): Code => [
  condition,
  [0x04, NO_RESULT, body, END],
];
/** The condition comes after the body, which runs at least once. */
export const doWhile = (condition: Code, ...body: readonly Code[]): Code => [
  [0x03, NO_RESULT, body, condition],
  [BRANCH_TO_START_IF, END],
];

const NUMBER = 0x7f;
const VECTOR = 0x7b;
const list = (...items: readonly Code[]): Code => [unsigned(items.length), items];
const sized = (...content: readonly Code[]): Code => {
  const bytes = flatten(content);
  return [unsigned(bytes.length), bytes];
};
const name = (text: string): Code => sized(...Array.from(text, (letter) => letter.charCodeAt(0)));
const section = (id: number, ...items: readonly Code[]): Code => [id, sized(list(...items))];

export type WasmFunction = {
  /** Locals are numbered in this order; parameters and the result are numbers. */
  readonly locals: Readonly<Record<'parameters' | 'numbers' | 'vectors', number>>;
  /** Its last part is an expression, the result. */
  readonly body: readonly Code[];
};

/** A module with one function, `run`, and one page of `memory`. */
export const toModule = ({ locals, body }: WasmFunction): Uint8Array<ArrayBuffer> => {
  const parameters = Array.from({ length: locals.parameters }, () => NUMBER);
  return Uint8Array.from(
    flatten([
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [0x60, list(...parameters), list(NUMBER)]),
      section(3, 0),
      section(5, [0, 1]),
      section(7, [name('run'), 0, 0], [name('memory'), 2, 0]),
      section(10, sized(list([locals.numbers, NUMBER], [locals.vectors, VECTOR]), body, END)),
    ]),
  );
};
